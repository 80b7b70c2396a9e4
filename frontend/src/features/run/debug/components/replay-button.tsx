import { useQuery } from "@tanstack/react-query";
import { CheckCheck, Repeat, Split } from "lucide-react";
import { useTranslation } from "react-i18next";

import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { ErrorState, SkeletonRows } from "@/components/states";
import type { Event } from "@/generated/events";

import { useRunPlace } from "../../model/run-context";
import { debugApi } from "../api/debug-api";
import { useDebug, useDebugUi, useOpenDialog } from "../model/debug-context";
import { written, type Fields } from "../model/editable";
import styles from "./dialogs.module.css";
import { DiffView } from "./diff-view";

function useReplay(enabled: boolean) {
  const { run } = useRunPlace();
  return useQuery({
    queryKey: ["run", run.run_id, "replay", run.last_seq],
    queryFn: ({ signal }) => debugApi.replay(run.run_id, signal),
    enabled,
    staleTime: 60_000,
    gcTime: 300_000,
  });
}

/** Runs the nodes again over the log, and says in a word what came of it. */
export function ReplayButton() {
  const { t } = useTranslation();
  const { run } = useRunPlace();
  const open = useOpenDialog();
  const asked = useDebugUi((state) => state.dialog?.name === "replay");
  const replay = useReplay(asked);
  const report = replay.data;
  const words =
    report === undefined
      ? t("debug.replay.button")
      : report.identical
        ? t("debug.replay.identical", { seq: report.last_seq })
        : t("debug.replay.differs", { seq: report.difference?.seq ?? 0 });
  return (
    <Button
      kind="quiet"
      icon={report === undefined ? <Repeat /> : report.identical ? <CheckCheck /> : <Split />}
      busy={replay.isFetching}
      disabled={run.last_seq < 0}
      title={t("debug.replay.hint")}
      onClick={() => open({ name: "replay" })}
    >
      {words}
    </Button>
  );
}

/** What a replay found: identical, or the first step that differs with both its sides. */
export function ReplayDialog() {
  const { t } = useTranslation();
  const open = useOpenDialog();
  const { data: report, error, refetch } = useReplay(true);
  return (
    <Dialog open onClose={() => open(null)} size="large" title={t("debug.replay.title")} description={t("debug.replay.about")}>
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} compact />}
      {report === undefined && error === null && <SkeletonRows rows={3} />}
      {report !== undefined && (
        <>
          <p className={styles["verdict"]} role="status">
            {report.identical ? <CheckCheck size={16} aria-hidden /> : <Split size={16} aria-hidden />}
            {report.identical ? t("debug.replay.identical_all", { seq: report.last_seq, count: report.compared }) : t("debug.replay.differs_at", { seq: report.difference?.seq ?? 0 })}
          </p>
          {report.difference !== null && <Difference {...report.difference} text={report.text} />}
        </>
      )}
    </Dialog>
  );
}

function Difference({ seq, recorded, produced, text }: { seq: number; recorded: Event | null; produced: Event | null; text: string }) {
  const { t } = useTranslation();
  const open = useOpenDialog();
  const { stepper } = useDebug();
  const side = (event: Event | null) =>
    event === null ? "" : written({ actor: event.actor, ...(event.payload as unknown as Fields) });
  return (
    <section className={styles["section"]}>
      <h3>{t("debug.replay.sides")}</h3>
      <div className={styles["sides"]}>
        <DiffView before={side(recorded)} after={side(produced)} label={t("debug.replay.sides")} />
        <p className={styles["hint"]}>{text}</p>
        <div>
          <Button
            onClick={() => {
              stepper.go(seq);
              open(null);
            }}
          >
            {t("debug.replay.go", { seq })}
          </Button>
        </div>
      </div>
    </section>
  );
}
