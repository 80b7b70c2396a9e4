import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";

import { modelsQuery } from "@/lib/api/queries";
import { useStartRun } from "@/lib/api/run-actions";
import type { Task, Team } from "@/lib/api/types";

import { Button } from "./button";
import { Field, Select, Textarea } from "./field";
import { Keys } from "./keys";
import styles from "./run-composer.module.css";
import { ErrorState } from "./states";
import { TaskPicker } from "./task-picker";

interface RunComposerProps {
  teams: Team[];
  /** The chosen team's id, or the first. */
  team?: string | undefined;
  /** A task to run instead of a question typed here. */
  task?: Task | undefined;
  /** Whether a task can be looked up here. */
  pickTask?: boolean;
  autoFocus?: boolean;
}

/** A question, a team, and the button that starts the run and goes to its page. */
export function RunComposer({ teams, team, task: given, pickTask = false, autoFocus = false }: RunComposerProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const start = useStartRun();
  const [picked, setPicked] = useState<Task | undefined>(given);
  const [question, setQuestion] = useState(given?.question ?? "");
  const [chosen, setChosen] = useState(team ?? teams[0]?.id ?? "");
  const runner = teams.find((each) => each.id === chosen) ?? teams[0];
  const problem = runner?.problems[0];

  function go(): void {
    if (runner === undefined || question.trim() === "" || problem !== undefined) return;
    const task = picked !== undefined && picked.question === question ? { task_id: picked.id } : {};
    start.mutate(
      { team_id: runner.id, input: question, ...task },
      { onSuccess: (run) => void navigate(`/runs/${run.run_id}`) },
    );
  }

  return (
    <form
      className={styles["composer"]}
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      {pickTask && (
        <TaskPicker
          onPick={(task) => {
            setPicked(task);
            setQuestion(task.question);
          }}
        />
      )}
      <Field label={t("common.run.question")} hint={picked !== undefined && picked.question === question ? t("common.run.of_task", { set: picked.set, key: picked.key }) : undefined}>
        {(control) => (
          <Textarea
            {...control}
            value={question}
            rows={3}
            placeholder={t("common.run.placeholder")}
            autoFocus={autoFocus}
            onChange={(event) => setQuestion(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
                event.preventDefault();
                go();
              }
            }}
          />
        )}
      </Field>
      <Obstacles team={runner} />
      {start.error !== null && <ErrorState error={start.error} title={t("common.run.not_started")} compact />}
      <div className={styles["line"]}>
        <Select
          className={styles["team"]}
          aria-label={t("common.run.team")}
          value={runner?.id ?? ""}
          options={teams.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(event) => setChosen(event.target.value)}
        />
        <span className={styles["models"]} title={t("common.run.models")}>{[...new Set(runner?.definition.agents.map((agent) => agent.model))].join(", ")}</span>
        <span className={styles["keys"]}><Keys keys="mod+enter" /></span>
        <Button kind="primary" type="submit" icon={<Play />} busy={start.isPending} disabled={question.trim() === "" || runner === undefined || problem !== undefined}>
          {t("common.run.start")}
        </Button>
      </div>
    </form>
  );
}

/** What keeps the team from running, and where it is mended. */
function Obstacles({ team }: { team: Team | undefined }) {
  const { t } = useTranslation();
  const models = useQuery(modelsQuery);
  const problem = team?.problems[0];
  return (
    <>
      {team !== undefined && problem !== undefined && (
        <p className={styles["problem"]}>
          {t("common.run.team_problem", { team: team.name, problem: problem.message })} <Link to={`/teams/${team.id}`}>{t("common.run.mend")}</Link>
        </p>
      )}
      {models.data?.length === 0 && (
        <p className={styles["problem"]}>
          {t("common.run.no_model")} <Link to="/settings">{t("common.run.add_model")}</Link>
        </p>
      )}
    </>
  );
}
