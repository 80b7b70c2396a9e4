import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router";

import { Attachments } from "@/components/attachments";
import { Badge } from "@/components/badge";
import { Button } from "@/components/button";
import { PageBar } from "@/components/page-bar";
import { Panel } from "@/components/panel";
import { SchemaTable } from "@/components/schema-table";
import { Score } from "@/components/score";
import { ErrorState, SkeletonRows } from "@/components/states";
import { StatusMark } from "@/components/status-mark";
import { CopyButton, RelativeTime } from "@/components/values";
import { runsQuery, teamsQuery } from "@/lib/api/queries";

import { environmentsQuery, suiteTaskQuery, useRunTask, type SuiteTask } from "./api/environments";
import { HandPanel } from "./components/hand-panel";
import { TeamField } from "./components/run-dialog";
import styles from "./task-page.module.css";

/** One task: its question and files, runs of teams, and doing it by hand. Never its answer. */
export default function TaskPage() {
  const { t } = useTranslation();
  const { suite = "", task: id = "" } = useParams();
  const { data: task, error, refetch } = useQuery(suiteTaskQuery(suite, id));
  const kind = useQuery(environmentsQuery).data?.find(({ name }) => name === task?.environment);
  const able = kind?.support[0];
  return (
    <>
      <PageBar crumbs={[{ label: t("shell.environments"), to: "/environments" }, { label: suite, to: `/environments/${encodeURIComponent(suite)}` }, { label: id }]} state={task !== undefined && <Facts task={task} />} />
      {task === undefined ? (
        error === null ? <SkeletonRows rows={10} /> : <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={styles["page"]}>
          <div className={styles["columns"]}>
            <Panel title={t("environments.question")} actions={<CopyButton text={task.question} />}>
              <div className={styles["question"]}>
                <p>{task.question}</p>
                <Attachments files={task.files} small />
              </div>
            </Panel>
            <RunPanel task={task} />
          </div>
          <HandPanel key={task.reference} task={task} supported={able?.supported !== false} why={able?.why ?? ""} />
          {task.actions.length > 0 && <Actions task={task} />}
        </div>
      )}
    </>
  );
}

function Facts({ task }: { task: SuiteTask }) {
  const { t } = useTranslation();
  return (
    <span className={styles["facts"]}>
      <Badge family="environment">{task.environment_title}</Badge>
      {task.level !== "" && <Badge>{t("environments.level", { level: task.level })}</Badge>}
      {!task.graded && <Badge>{t("forms.score.none")}</Badge>}
      {task.max_steps !== null && <Badge>{t("environments.steps", { count: task.max_steps })}</Badge>}
      {task.seconds !== null && <Badge>{task.seconds.toLocaleString("en-US")} s</Badge>}
      {task.tags.map((tag) => <Badge key={tag}>{tag}</Badge>)}
    </span>
  );
}

/** A team does it; and what came of it before. */
function RunPanel({ task }: { task: SuiteTask }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const teams = useQuery(teamsQuery);
  const runs = useQuery(runsQuery({ task_id: task.reference, order: "newest", limit: 8 })).data;
  const start = useRunTask();
  const [team, setTeam] = useState("");
  const able = (teams.data ?? []).filter((each) => each.problems.length === 0);
  const chosen = able.find(({ id }) => id === team) ?? able[0];
  return (
    <Panel title={t("environments.run.with")} count={runs !== undefined && runs.total > 0 ? t("environments.run.runs", { count: runs.total }) : undefined}>
      <div className={styles["run"]}>
        {teams.data !== undefined && able.length === 0 ? (
          <p>{t("environments.run.no_team")} <Link to="/teams">{t("shell.teams")}</Link></p>
        ) : (
          <>
            <TeamField teams={able} value={chosen?.id ?? ""} onChange={setTeam} />
            <Button
              kind="primary"
              icon={<Play />}
              busy={start.isPending}
              disabled={chosen === undefined}
              onClick={() => chosen !== undefined && start.mutate({ team: chosen.id, reference: task.reference }, { onSuccess: (run) => void navigate(`/runs/${run.run_id}`) })}
            >
              {t("common.run.start")}
            </Button>
          </>
        )}
      </div>
      {start.error !== null && <ErrorState error={start.error} title={t("common.run.not_started")} compact />}
      {runs !== undefined && runs.runs.length > 0 && (
        <ul className={styles["runs"]}>
          {runs.runs.map((run) => (
            <li key={run.run_id}>
              <StatusMark status={run.status} word={false} />
              <Link to={`/runs/${run.run_id}`}>{run.team_name}</Link>
              <span className={styles["answer"]} title={run.answer}>{run.answer}</span>
              {typeof run.score === "number" && <Score value={run.score} />}
              <RelativeTime at={run.created_at} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Actions({ task }: { task: SuiteTask }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("environments.actions")} count={task.actions.length}>
      {task.actions.map((action) => (
        <details key={action.name} className={styles["action"]}>
          <summary><code>{action.name}</code> <span>{action.description}</span></summary>
          <SchemaTable schema={action.parameters} />
        </details>
      ))}
    </Panel>
  );
}
