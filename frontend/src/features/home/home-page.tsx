import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";

import { Button } from "@/components/button";
import { PageBar } from "@/components/page-bar";
import { Panel } from "@/components/panel";
import { RunComposer } from "@/components/run-composer";
import { EmptyState, ErrorState, Skeleton, SkeletonRows } from "@/components/states";
import { Quantity } from "@/components/values";
import { runsQuery, teamsQuery } from "@/lib/api/queries";
import type { Run } from "@/lib/api/types";
import { remember, remembered } from "@/lib/storage";

import { RunLines } from "./components/run-lines";
import styles from "./home-page.module.css";
import { midnight, today } from "./model/today";

const NEWEST = 200;

function Section({ title, to, query, children, empty }: { title: string; to: string; query: { data?: { runs: Run[]; total: number } | undefined; error: unknown; refetch: () => unknown }; children: (runs: Run[]) => React.ReactNode; empty: string }) {
  const { t } = useTranslation();
  const { data, error } = query;
  const loaded = data?.runs ?? [];
  return (
    <Panel title={title} count={data?.total} actions={(data?.total ?? 0) > 0 && <Link to={to} className={styles["all"]}>{t("home.all")}</Link>}>
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void query.refetch()} />
      ) : data === undefined ? (
        <SkeletonRows rows={3} height={36} />
      ) : loaded.length === 0 ? (
        <p className={styles["none"]}>{empty}</p>
      ) : (
        children(loaded)
      )}
    </Panel>
  );
}

function Start() {
  const { t } = useTranslation();
  const teams = useQuery(teamsQuery);
  const usable = useMemo(() => [...(teams.data ?? [])].sort((a, b) => a.problems.length - b.problems.length), [teams.data]);
  return (
    <Panel title={t("home.start")}>
      <div className={styles["start"]}>
        {teams.error !== null && teams.data === undefined ? (
          <ErrorState error={teams.error} compact onRetry={() => void teams.refetch()} />
        ) : teams.data === undefined ? (
          <Skeleton height={148} />
        ) : usable.length === 0 ? (
          <EmptyState title={t("home.no_team")} action={<Link to="/teams">{t("home.make_team")}</Link>} />
        ) : (
          <RunComposer teams={usable} />
        )}
      </div>
    </Panel>
  );
}

/** Today in four numbers, from the newest runs. */
function Today() {
  const { t } = useTranslation();
  const { data, error } = useQuery(runsQuery({ order: "newest", limit: NEWEST }));
  const sums = data && today(data.runs, data.total, midnight(new Date()));
  const figures = [
    { label: t("home.today.runs"), value: <Quantity value={sums?.runs ?? null} /> },
    { label: t("home.today.failed"), value: <Quantity value={sums?.failed ?? null} /> },
    { label: t("home.today.tokens"), value: <Quantity value={sums?.tokens ?? null} unit="tokens" /> },
    { label: t("home.today.cost"), value: <Quantity value={sums?.costUsd ?? null} unit="usd" /> },
  ];
  return (
    <Panel title={t("home.today")} {...(sums?.cut === true && { count: t("home.today.cut", { count: NEWEST }) })}>
      <dl className={styles["figures"]}>
        {figures.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{sums === undefined && error === null ? <Skeleton width={56} height={22} /> : value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** What goes on, what went wrong, what waits, and the first step. */
export default function HomePage() {
  const { t } = useTranslation();
  const running = useQuery(runsQuery({ status: "running,paused", order: "newest", limit: 8 }));
  const failures = useQuery(runsQuery({ status: "failed,lost", order: "newest", limit: 8 }));
  const finished = useQuery(runsQuery({ status: "finished", order: "newest", limit: 5 }));
  const queue = useQuery(runsQuery({ status: "queued", order: "queue", limit: 5 }));
  const [seen, setSeen] = useState(() => remembered("home.failures_seen", 0));
  const newest = Math.max(0, ...(failures.data?.runs ?? []).map((run) => run.created_at));

  return (
    <div className={styles["page"]}>
      <PageBar crumbs={[{ label: t("shell.home") }]} />
      <div className={styles["column"]}>
        <Start />
        <Section title={t("home.running")} to="/runs?status=running" query={running} empty={t("home.running.none")}>
          {(runs) => <RunLines runs={runs} live />}
        </Section>
        <Section title={t("home.queue")} to="/runs?view=queue" query={queue} empty={t("home.queue.none")}>
          {(runs) => <RunLines runs={runs} />}
        </Section>
      </div>
      <div className={styles["column"]}>
        <Today />
        <Section title={t("home.failures")} to="/runs?status=failed,lost" query={failures} empty={t("home.failures.none")}>
          {(runs) => (
            <>
              <RunLines runs={runs} newerThan={seen} />
              {newest > seen && (
                <div className={styles["foot"]}>
                  <Button
                    kind="quiet"
                    onClick={() => {
                      remember("home.failures_seen", newest);
                      setSeen(newest);
                    }}
                  >
                    {t("home.failures.seen")}
                  </Button>
                </div>
              )}
            </>
          )}
        </Section>
        <Section title={t("home.finished")} to="/runs?status=finished" query={finished} empty={t("home.finished.none")}>
          {(runs) => <RunLines runs={runs} />}
        </Section>
      </div>
    </div>
  );
}
