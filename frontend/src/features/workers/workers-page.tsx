import { useQuery } from "@tanstack/react-query";
import { Cpu } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";

import { PageBar } from "@/components/page-bar";
import { Panel } from "@/components/panel";
import { EmptyState, ErrorState, SkeletonRows } from "@/components/states";
import { StatusMark } from "@/components/status-mark";
import { Cut, Table, type Column } from "@/components/table";
import { RelativeTime } from "@/components/values";
import { processesQuery, sessionQuery } from "@/lib/api/queries";
import type { Process, SetupStep } from "@/lib/api/types";
import { shortId } from "@/lib/format";
import { stepDetail, stepName } from "@/lib/setup-words";

import { PROCESS_STATES, processMark, stepMark } from "./model/state";
import styles from "./workers-page.module.css";

function useColumns(): Column<Process>[] {
  const { t } = useTranslation();
  const word = (state: string) => (PROCESS_STATES.includes(state) ? t(`workers.state.${state}`) : state);
  return [
    { id: "name", header: t("workers.column.name"), width: "150px", narrowWidth: "auto", cell: (process) => <strong className={styles["name"]} title={process.name}>{process.name}</strong> },
    { id: "state", header: t("workers.column.state"), width: "130px", narrowWidth: "104px", cell: (process) => <StatusMark status={processMark(process.state)} label={word(process.state)} /> },
    {
      id: "runs",
      header: t("workers.column.runs"),
      width: "200px",
      wideOnly: true,
      cell: (process) => (
        <span className={styles["runs"]}>
          {(process.runs ?? []).slice(0, 2).map((run) => <Link key={run} to={`/runs/${run}`}>{shortId(run)}</Link>)}
          {(process.runs?.length ?? 0) > 2 && <Link to="/runs?status=running">+{(process.runs?.length ?? 0) - 2}</Link>}
        </span>
      ),
    },
    { id: "line", header: t("workers.column.last_line"), wideOnly: true, cell: (process) => <Cut text={process.last_line}><code className={styles["line"]}>{process.last_line}</code></Cut> },
    { id: "restarts", header: t("workers.column.restarts"), width: "84px", align: "right", wideOnly: true, cell: (process) => <span className={process.restarts > 0 ? styles["restarted"] : undefined}>{process.restarts}</span> },
    { id: "pid", header: "PID", width: "76px", align: "right", wideOnly: true, cell: (process) => <span className={styles["pid"]}>{process.pid ?? "–"}</span> },
    { id: "since", header: t("workers.column.since"), width: "112px", align: "right", cell: (process) => <RelativeTime at={process.since} /> },
  ];
}

function Step({ step }: { step: SetupStep }) {
  const { t } = useTranslation();
  const detail = stepDetail(t, step);
  return (
    <li className={styles["step"]}>
      <StatusMark status={stepMark(step)} label={stepName(t, step)} />
      <span className={styles["detail"]} title={detail}>{detail}</span>
      {step.state === "running" && <progress className={styles["progress"]} max={1} {...(step.progress !== null && { value: step.progress })} aria-label={stepName(t, step)} />}
      {step.state === "running" && step.progress !== null && <span className={styles["percent"]}>{Math.round(step.progress * 100)} %</span>}
    </li>
  );
}

/** Which processes there are, what they do, and how far the set-up is. */
export default function WorkersPage() {
  const { t } = useTranslation();
  const processes = useQuery(processesQuery);
  const session = useQuery(sessionQuery);
  const columns = useColumns();
  const steps = session.data?.setup.steps ?? [];
  return (
    <div className={styles["page"]}>
      <PageBar crumbs={[{ label: t("shell.workers") }]} />
      <Panel title={t("workers.processes")} count={processes.data?.length}>
        {processes.data === undefined ? (
          processes.error === null ? <SkeletonRows rows={4} /> : <ErrorState error={processes.error} onRetry={() => void processes.refetch()} />
        ) : processes.data.length === 0 ? (
          <EmptyState icon={<Cpu />} title={t("workers.none")}>{t("workers.none_text")}</EmptyState>
        ) : (
          <>
            {processes.error !== null && <ErrorState error={processes.error} />}
            <Table label={t("workers.processes")} columns={columns} rows={processes.data} rowKey={(process) => process.name} />
          </>
        )}
      </Panel>
      {steps.length > 0 && (
        <Panel title={t("workers.setup")} count={t("shell.setup.steps", { done: steps.filter((step) => step.state === "done").length, all: steps.length })}>
          <ol>{steps.map((step) => <Step key={step.name} step={step} />)}</ol>
        </Panel>
      )}
    </div>
  );
}
