import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Play, RotateCcw, Save } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";

import { Button } from "@/components/button";
import { PageBar } from "@/components/page-bar";
import { ErrorState } from "@/components/states";
import { StatusMark } from "@/components/status-mark";
import { Tabs, type Tab } from "@/components/tabs";
import { toast } from "@/components/toast";
import { ApiError } from "@/lib/api/error";
import type { Problem, Team, TeamDefinition } from "@/lib/api/types";
import { useHotkeys } from "@/lib/hotkeys";

import { checkQuery, teamQuery, useSaveTeam } from "../api/teams";
import { complete } from "../model/definition";
import { TeamBreakpoints } from "../breakpoints/team-breakpoints";
import { useDraft } from "../model/draft";
import { fromYaml } from "../model/yaml";
import { Conflict } from "./conflict";
import { RunDrawer } from "./run-drawer";
import styles from "./team-editor.module.css";
import { TeamForm } from "./team-form";
import { TeamYaml } from "./team-yaml";

/** The value as it was `ms` ago: the server is asked when the typing rests. */
function useRested<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setRested(value), ms);
    return () => window.clearTimeout(timer);
  }, [value, ms]);
  return rested;
}

/** What the server finds wrong: live, or what it said when it refused to save. */
function useProblems(team: TeamDefinition, refused: unknown): Problem[] {
  const check = useQuery(checkQuery(useRested(team, 300)));
  if (check.data !== undefined) return check.data.problems;
  const told = refused instanceof ApiError ? refused.extra["problems"] : undefined;
  return Array.isArray(told) ? (told as Problem[]) : [];
}

type View = "form" | "yaml" | "breakpoints";

interface TeamEditorProps {
  /** null while it was never saved. */
  id: string | null;
  stored: TeamDefinition;
  version: number;
  title: string;
}

/** The editor: form and YAML over one draft, live problems, save, run. */
export function TeamEditor({ id, stored, version, title }: TeamEditorProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const draft = useDraft(id ?? "new", stored, version);
  const save = useSaveTeam();
  const [tab, setTab] = useState<View>("form");
  const [running, setRunning] = useState<Team | null>(null);
  const [text, setText] = useState<string | null>(null);
  const problems = useProblems(draft.team, save.error);
  const unreadable = tab === "yaml" && text !== null && !("team" in fromYaml(text));
  const conflict = save.error instanceof ApiError && save.error.status === 409 && id !== null;

  /** What cannot be read would be lost on the way to the form. */
  function show(next: View): void {
    if (unreadable) {
      toast({ text: t("teams.yaml_mend"), mark: "error" });
      return;
    }
    setText(null);
    setTab(next);
  }

  function store(then?: (team: Team) => void, over: number = draft.version): void {
    save.mutate(
      { id, version: over, definition: draft.team },
      {
        onSuccess: (team) => {
          draft.reset(complete(team.definition), team.version);
          if (then !== undefined) then(team);
          else toast({ text: t("teams.saved", { name: team.name, version: team.version }), mark: "ok" });
          if (id === null) void navigate(`/teams/${team.id}`, { replace: true });
        },
      },
    );
  }

  async function theirs(): Promise<Team | undefined> {
    save.reset();
    return client.fetchQuery({ ...teamQuery(id ?? ""), staleTime: 0 });
  }

  function run(): void {
    const known = id === null ? undefined : client.getQueryData<Team>(["teams", id]);
    if (draft.dirty || known === undefined) store(setRunning);
    else setRunning(known);
  }

  useHotkeys([{ keys: "mod+s", label: "common.save", group: "shell.keys.page", inFields: true, run: () => store() }], !unreadable && (draft.dirty || id === null));

  return (
    <div className={styles["editor"]}>
      <PageBar
        crumbs={[{ label: t("shell.teams"), to: "/teams" }, { label: draft.team.name || title }]}
        state={<State dirty={draft.dirty} problems={problems.length + Number(unreadable)} version={id === null ? null : draft.version} />}
        actions={
          <Actions
            stored={id !== null}
            dirty={draft.dirty}
            savable={!unreadable && (draft.dirty || id === null)}
            runnable={!unreadable && problems.length === 0}
            saving={save.isPending}
            onDiscard={() => draft.reset(stored, version)}
            onSave={() => store()}
            onRun={run}
          />
        }
      />
      {conflict ? (
        <Conflict
          message={save.error?.message ?? ""}
          onTheirs={() => void theirs().then((team) => team && draft.reset(complete(team.definition), team.version))}
          onMine={() => void theirs().then((team) => team && store(undefined, team.version))}
        />
      ) : (
        save.error !== null && <ErrorState error={save.error} title={t("teams.not_saved")} />
      )}
      {draft.restored && <p className={styles["restored"]}>{t("teams.restored")}</p>}
      <Tabs label={t("teams.views")} value={tab} onChange={show} tabs={viewTabs(id !== null, t)}>
        <View tab={tab} id={id} team={draft.team} problems={problems} typed={text} onType={setText} onChange={draft.edit} />
      </Tabs>
      <RunDrawer team={running} onClose={() => setRunning(null)} />
    </div>
  );
}

interface ViewProps {
  tab: View;
  id: string | null;
  team: TeamDefinition;
  problems: Problem[];
  typed: string | null;
  onType: (text: string | null) => void;
  onChange: (team: TeamDefinition) => void;
}

function View({ tab, id, team, problems, typed, onType, onChange }: ViewProps) {
  if (tab === "breakpoints" && id !== null) return <TeamBreakpoints teamId={id} team={team} />;
  if (tab === "yaml") return <TeamYaml team={team} typed={typed} problems={problems} onType={onType} onChange={onChange} />;
  return <TeamForm team={team} problems={problems} onChange={onChange} />;
}

/** A team that was never saved has no runs that could stop. */
function viewTabs(stored: boolean, t: (key: string) => string): Tab<View>[] {
  const tabs: Tab<View>[] = [
    { name: "form", label: t("teams.form") },
    { name: "yaml", label: "YAML" },
  ];
  return stored ? [...tabs, { name: "breakpoints", label: t("debug.break.title") }] : tabs;
}

interface ActionsProps {
  stored: boolean;
  dirty: boolean;
  savable: boolean;
  runnable: boolean;
  saving: boolean;
  onDiscard: () => void;
  onSave: () => void;
  onRun: () => void;
}

function Actions({ stored, dirty, savable, runnable, saving, onDiscard, onSave, onRun }: ActionsProps) {
  const { t } = useTranslation();
  return (
    <>
      {dirty && stored && <Button kind="quiet" icon={<RotateCcw />} onClick={onDiscard}>{t("teams.discard")}</Button>}
      <Button icon={<Save />} disabled={!savable} busy={saving} onClick={onSave}>{t("common.save")}</Button>
      <Button kind="primary" icon={<Play />} disabled={!runnable || saving} onClick={onRun}>{dirty ? t("teams.save_and_run") : t("teams.run")}</Button>
    </>
  );
}

function State({ dirty, problems, version }: { dirty: boolean; problems: number; version: number | null }) {
  const { t } = useTranslation();
  return (
    <span className={styles["state"]}>
      {problems > 0 ? <StatusMark status="error" label={t("teams.problems", { count: problems })} /> : <StatusMark status="ok" label={t("teams.no_problems")} />}
      <span className={styles["version"]}>
        {version !== null && t("teams.version", { version })}
        {dirty && ` · ${t("teams.unsaved")}`}
      </span>
    </span>
  );
}
