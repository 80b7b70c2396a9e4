import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";

import { Checkbox } from "@/components/field";
import { Panel } from "@/components/panel";
import { EmptyState, ErrorState, SkeletonRows } from "@/components/states";
import { StatusMark, type Mark } from "@/components/status-mark";
import { Cut, Table, type Column } from "@/components/table";
import { RelativeTime } from "@/components/values";
import { duration } from "@/lib/format";

import { callsQuery, type Call } from "../api/tools";
import styles from "./calls.module.css";

/** The calls of one tool in all runs, failures first; each leads to its event. */
export function Calls({ name, errors, onErrors }: { name: string; errors: boolean; onErrors: (only: boolean) => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(callsQuery(name, errors));
  const columns = useColumns();
  const filter = <Checkbox label={t("tools.calls.errors_only")} checked={errors} onChange={(event) => onErrors(event.target.checked)} />;
  return (
    <Panel title={t("tools.calls")} count={data?.usage.calls.toLocaleString("en-US")} actions={filter}>
      {data === undefined ? (
        error === null ? <SkeletonRows rows={4} /> : <ErrorState error={error} compact onRetry={() => void refetch()} />
      ) : data.calls.length === 0 ? (
        <EmptyState icon={<History />} title={t(errors ? "tools.calls.no_errors" : "tools.calls.none")}>{t("tools.calls.none_text")}</EmptyState>
      ) : (
        <>
          <Table label={t("tools.calls")} columns={columns} rows={data.calls} rowKey={(call) => `${call.run_id} ${String(call.seq)}`} onOpen={(call) => void navigate(placeOf(call))} />
          <p className={styles["foot"]}>
            {t("tools.calls.shown", { shown: data.calls.length, calls: data.usage.calls, looked: data.runs_looked_at, total: data.runs_total })}
          </p>
        </>
      )}
    </Panel>
  );
}

function placeOf(call: Call): string {
  return `/runs/${call.run_id}?seq=${String(call.end_seq ?? call.seq)}`;
}

function markOf(call: Call): Mark {
  if (call.ok) return "ok";
  return call.reason === "open" ? "running" : call.reason === "outcome_unknown" ? "warning" : "error";
}

function useColumns(): Column<Call>[] {
  const { t } = useTranslation();
  return [
    { id: "state", header: t("tools.calls.outcome"), width: "130px", narrowWidth: "96px", cell: (call) => <StatusMark status={markOf(call)} label={call.ok ? t("tools.try.ok") : t(`tools.reason.${call.reason}`, { defaultValue: call.reason })} /> },
    { id: "arguments", header: t("tools.calls.arguments"), wideOnly: true, cell: (call) => <span className={styles["code"]}><Cut text={call.arguments} /></span> },
    { id: "text", header: t("tools.calls.result"), cell: (call) => <Cut text={call.text} /> },
    { id: "run", header: t("tools.calls.run"), width: "170px", wideOnly: true, cell: (call) => <Link to={placeOf(call)} tabIndex={-1} className={styles["run"]}>{call.team} #{call.end_seq ?? call.seq}</Link> },
    { id: "agent", header: t("tools.calls.agent"), width: "100px", wideOnly: true, cell: (call) => <Cut text={call.actor} /> },
    { id: "time", header: t("tools.calls.time"), width: "80px", align: "right", wideOnly: true, cell: (call) => (call.end_seq === null ? "–" : duration(call.us)) },
    { id: "when", header: t("tools.calls.when"), width: "104px", align: "right", cell: (call) => <RelativeTime at={call.at} /> },
  ];
}
