import { MoreHorizontal } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";

import { Badge } from "@/components/badge";
import { IconButton } from "@/components/button";
import { Menu } from "@/components/menu";
import { Score } from "@/components/score";
import { StatusMark } from "@/components/status-mark";
import { Cut, Table, type Column, type Sort } from "@/components/table";
import { Duration, IdChip, Quantity, RelativeTime } from "@/components/values";
import type { Run } from "@/lib/api/types";

import styles from "./run-table.module.css";
import { useRunMenu } from "./use-run-menu";

const GOING = new Set(["running", "paused", "parked", "lost", "queued"]);

function useColumns(): Column<Run>[] {
  const { t } = useTranslation();
  const menu = useRunMenu();
  return [
    { id: "status", header: <span className={styles["wide"]}>{t("runs.column.status")}</span>, width: "104px", narrowWidth: "44px", cell: (run) => <State run={run} /> },
    { id: "input", header: t("runs.column.input"), cell: (run) => <Input run={run} /> },
    { id: "team", header: t("runs.column.team"), width: "120px", wideOnly: true, sortable: true, cell: (run) => <Cut text={run.team_name} /> },
    { id: "errors", header: t("runs.column.errors"), width: "64px", align: "right", wideOnly: true, sortable: true, cell: (run) => <Errors run={run} /> },
    { id: "events", header: t("runs.column.events"), width: "64px", align: "right", wideOnly: true, sortable: true, cell: (run) => <Quantity value={run.last_seq + 1} /> },
    { id: "tokens", header: t("runs.column.tokens"), width: "72px", align: "right", wideOnly: true, sortable: true, cell: (run) => <Quantity value={run.input_tokens + run.output_tokens} unit="tokens" /> },
    { id: "cost", header: t("runs.column.cost"), width: "80px", align: "right", wideOnly: true, sortable: true, cell: (run) => <Quantity value={run.cost_usd} unit="usd" /> },
    { id: "duration", header: t("runs.column.duration"), width: "72px", align: "right", wideOnly: true, sortable: true, cell: (run) => <Duration from={run.started_at} to={run.finished_at} /> },
    { id: "when", header: t("runs.column.when"), width: "100px", align: "right", sortable: true, cell: (run) => <RelativeTime at={run.created_at} /> },
    { id: "id", header: t("runs.column.id"), width: "104px", wideOnly: true, cell: (run) => <IdChip id={run.run_id} /> },
    {
      id: "menu",
      header: <span className="hidden-visually">{t("runs.column.actions")}</span>,
      width: "52px",
      align: "right",
      wideOnly: true,
      cell: (run) => <Menu trigger={<IconButton label={t("runs.column.actions")}><MoreHorizontal /></IconButton>} items={menu(run)} />,
    },
  ];
}

/** The word stands beside the mark where there is room. */
function State({ run }: { run: Run }) {
  return (
    <>
      <span className={styles["wide"]}><StatusMark status={run.status} /></span>
      <span className={styles["narrow"]}><StatusMark status={run.status} word={false} /></span>
    </>
  );
}

function Input({ run }: { run: Run }) {
  const { t } = useTranslation();
  return (
    <span className={styles["input"]}>
      {run.parent_run_id !== "" && <span className={styles["fork"]}><Badge tone="accent">{t("runs.fork")}</Badge></span>}
      {(run.questions ?? 0) > 0 && GOING.has(run.status) && (
        <span className={styles["fork"]}><Badge tone="warning">{t("runs.waits", { count: run.questions })}</Badge></span>
      )}
      {typeof run.score === "number" && <span className={styles["fork"]}><Score value={run.score} /></span>}
      <Link to={`/runs/${run.run_id}`} className={styles["link"]} title={run.input} tabIndex={-1}>{run.input}</Link>
      {run.error !== "" && <span className={styles["error"]} title={run.error}>{run.error}</span>}
      {run.error === "" && run.answer !== "" && <span className={styles["answer"]} title={run.answer}>→ {run.answer}</span>}
    </span>
  );
}

/** Errors with their own mark; warnings only where there is no error. */
function Errors({ run }: { run: Run }) {
  const { t } = useTranslation();
  const [status, count, words] = run.errors > 0 ? (["error", run.errors, "runs.errors"] as const) : (["warning", run.warnings, "runs.warnings"] as const);
  if (count === 0) return <span className={styles["none"]}>0</span>;
  return (
    <span className={styles["errors"]} title={t(words, { count })}>
      <StatusMark status={status} label={count.toLocaleString("en-US")} />
    </span>
  );
}

/** The runs of a page; Enter or a click opens one. */
export function RunTable({ runs, sort, onSort }: { runs: Run[]; sort: Sort | null; onSort: (column: string) => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <Table
      label={t("shell.runs")}
      columns={useColumns()}
      rows={runs}
      rowKey={(run) => run.run_id}
      onOpen={(run) => void navigate(`/runs/${run.run_id}`)}
      sort={sort}
      onSort={onSort}
    />
  );
}
