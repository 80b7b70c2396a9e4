import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useParams } from "react-router";

import { ButtonLink } from "@/components/button";
import { PageBar } from "@/components/page-bar";
import { EmptyState, ErrorState } from "@/components/states";
import { StatusMark } from "@/components/status-mark";
import { Duration } from "@/components/values";
import { ApiError } from "@/lib/api/error";
import type { Run, RunDetail } from "@/lib/api/types";
import { shortId } from "@/lib/format";
import { liveSocket } from "@/lib/live";

import { runApi } from "./api/run-api";
import { DebugProvider } from "./debug/model/debug-context";
import { Actions } from "./head/actions";
import { Layout } from "./layout/layout";
import { PageSkeleton } from "./layout/page-skeleton";
import { createPageState } from "./model/page-state";
import { RunContext, type RunPlace } from "./model/run-context";
import { RunSession } from "./model/run-session";
import { useAddress } from "./model/use-address";
import { useNarrow } from "./model/use-narrow";
import styles from "./run-page.module.css";

const ENDED = new Set(["finished", "failed", "cancelled"]);

/** `/runs/:id`: the trace debugger of one run. */
export default function RunPage() {
  const { id = "" } = useParams();
  return <RunOf key={id} id={id} />;
}

function RunOf({ id }: { id: string }) {
  const { t } = useTranslation();
  const row = useRunRow(id);
  const crumbs = [{ label: t("trace.page.runs"), to: "/runs" }];
  if (row.error instanceof ApiError && row.error.status === 404) {
    return (
      <>
        <PageBar crumbs={[...crumbs, { label: shortId(id) }]} />
        <EmptyState title={t("trace.page.missing")} action={<ButtonLink to="/runs">{t("trace.page.to_runs")}</ButtonLink>}>
          {t("trace.page.missing_text", { id })}
        </EmptyState>
      </>
    );
  }
  if (row.data === undefined && row.error !== null) return <ErrorState error={row.error} onRetry={() => void row.refetch()} />;
  if (row.data === undefined) {
    return (
      <>
        <PageBar crumbs={[...crumbs, { label: shortId(id) }]} />
        <PageSkeleton />
      </>
    );
  }
  return <Opened run={row.data} />;
}

/** The run's row: read once, again when its events say that it changed, and as the server tells. */
function useRunRow(id: string) {
  const client = useQueryClient();
  useEffect(
    () =>
      liveSocket().listen((message) => {
        if (message.type !== "runs") return;
        const changed = (message.changed as Run[]).find((each) => each.run_id === id);
        if (changed === undefined) return;
        client.setQueryData<RunDetail>(["run", id, "row"], (old) => (old === undefined ? old : { ...old, ...changed, team: old.team }));
      }),
    [client, id],
  );
  return useQuery({ queryKey: ["run", id, "row"], queryFn: ({ signal }) => runApi.run(id, signal) });
}

function useSession(run: RunDetail): RunSession | null {
  const client = useQueryClient();
  const [session, setSession] = useState<RunSession | null>(null);
  const id = run.run_id;
  const refresh = useCallback(() => void client.invalidateQueries({ queryKey: ["run", id, "row"] }), [client, id]);
  useEffect(() => {
    const made = new RunSession(id, {
      api: { events: (query, signal) => runApi.events(id, query, signal) },
      socket: liveSocket(),
      onRunChanged: refresh,
    });
    setSession(made);
    void made.start(run);
    return () => made.dispose();
    // The row changes while the run goes on; the session begins with the one it was opened with.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [id, refresh]);
  return session;
}

function Opened({ run }: { run: RunDetail }) {
  const { t } = useTranslation();
  const { search } = useLocation();
  const session = useSession(run);
  const [page] = useState(() => createPageState(search));
  const narrow = useNarrow();
  useAddress(page);
  const live = run.status === "running";
  const place = useMemo<RunPlace | null>(
    () => (session === null ? null : { session, page, run, live, narrow }),
    [session, page, run, live, narrow],
  );
  if (place === null) return <PageSkeleton />;
  const from = run.started_at || run.created_at;
  return (
    <RunContext value={place}>
      <PageBar
        crumbs={[...(narrow ? [] : [{ label: t("trace.page.runs"), to: "/runs" }]), { label: `${run.team_name} · ${shortId(run.run_id)}` }]}
        state={
          <>
            <StatusMark status={run.status} />
            {run.started_at > 0 && run.status !== "lost" && (
              <span className={styles["elapsed"]}>
                <Duration from={from} to={ENDED.has(run.status) ? run.finished_at : 0} />
              </span>
            )}
          </>
        }
        actions={<Actions />}
      />
      <DebugProvider>
        <Layout />
      </DebugProvider>
    </RunContext>
  );
}
