import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";

import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Field, Input, Select } from "@/components/field";
import { EmptyState, ErrorState, SkeletonRows } from "@/components/states";
import { toast } from "@/components/toast";
import { teamsQuery } from "@/lib/api/queries";
import type { Team } from "@/lib/api/types";

import { useRunSuite, type SuiteRun } from "../api/environments";
import styles from "./import-dialog.module.css";

type Wanted = Omit<SuiteRun, "team_id" | "attempts">;

/** A team and how often; then a run for each task that fits is queued. */
export function RunSuiteDialog({ wanted, count, onClose }: { wanted: Wanted; count: number; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const teams = useQuery(teamsQuery);
  const run = useRunSuite();
  const [team, setTeam] = useState("");
  const [attempts, setAttempts] = useState("1");
  const able = (teams.data ?? []).filter((each) => each.problems.length === 0);
  const chosen = able.find(({ id }) => id === team) ?? able[0];
  const times = Number(attempts);
  const fits = Number.isInteger(times) && times >= 1;

  function go(): void {
    if (chosen === undefined || !fits) return;
    run.mutate(
      { ...wanted, team_id: chosen.id, attempts: times },
      {
        onSuccess: ({ queued, tag }) => {
          toast({ text: t("environments.run.queued", { count: queued }), mark: "ok" });
          void navigate(`/runs?tag=${encodeURIComponent(tag)}`);
        },
      },
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={t("environments.run.suite", { suite: wanted.suite })}
      description={t("environments.run.about")}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button kind="primary" icon={<Play />} busy={run.isPending} disabled={chosen === undefined || !fits} onClick={go}>{t("environments.run.queue", { count: fits ? count * times : count })}</Button>
        </>
      }
    >
      {teams.data === undefined ? (
        teams.error === null ? <SkeletonRows rows={2} /> : <ErrorState error={teams.error} compact />
      ) : able.length === 0 ? (
        <EmptyState title={t("environments.run.no_team")} action={<Link to="/teams">{t("shell.teams")}</Link>} />
      ) : (
        <div className={styles["form"]}>
          <TeamField teams={able} value={chosen?.id ?? ""} onChange={setTeam} />
          <Field label={t("environments.run.attempts")}>
            {(control) => <Input {...control} inputMode="numeric" value={attempts} onChange={(event) => setAttempts(event.target.value)} />}
          </Field>
          {run.error !== null && <ErrorState error={run.error} title={t("common.run.not_started")} compact />}
        </div>
      )}
    </Dialog>
  );
}

/** Which team; those that cannot run are not offered. */
export function TeamField({ teams, value, onChange }: { teams: Team[]; value: string; onChange: (id: string) => void }) {
  const { t } = useTranslation();
  return (
    <Field label={t("common.run.team")}>
      {(control) => <Select {...control} value={value} options={teams.map(({ id, name }) => ({ value: id, label: name }))} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}
