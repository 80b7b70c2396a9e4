import { History } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";

import type { Trial, TrialPlace } from "@/lib/api/breakpoints";
import { shortId } from "@/lib/format";

import styles from "./breakpoints.module.css";

const MOST_RUNS = 12;

/** Where past runs would have stopped, each place a link. */
export function TrialResult({ trial, waiting, logs }: { trial: Trial | undefined; waiting: boolean; logs: boolean }) {
  const { t } = useTranslation();
  if (trial === undefined) return <p className={styles["trial"]} role="status">{t("debug.trial.waiting")}</p>;
  const runs = byRun(trial.places);
  const shown = [...runs].slice(0, MOST_RUNS);
  const sentence =
    trial.stops > 0
      ? t("debug.trial.stopped", { times: t("debug.trial.times", { count: trial.stops }), stopped: trial.runs_stopped, runs: t("debug.trial.runs", { count: trial.runs_looked_at }) })
      : logs && trial.places.length > 0
        ? t("debug.trial.noted", { count: trial.places.length, runs: t("debug.trial.runs", { count: trial.runs_looked_at }) })
        : t("debug.trial.never", { runs: t("debug.trial.runs", { count: trial.runs_looked_at }) });
  return (
    <div className={styles["trial"]} aria-busy={waiting} role="status">
      <p><History size={13} aria-hidden /> {sentence}</p>
      {shown.length > 0 && (
        <ul className={styles["places"]}>
          {shown.map(([run, places]) => (
            <li key={run}>
              <span className={styles["run"]}>{shortId(run)}</span>
              {places.slice(0, 8).map(({ seq }) => <Link key={seq} to={`/runs/${run}?seq=${String(seq)}`}>#{seq}</Link>)}
              {places.length > 8 && <span>{t("debug.trial.more", { count: places.length - 8 })}</span>}
            </li>
          ))}
        </ul>
      )}
      {runs.size > MOST_RUNS && <p>{t("debug.trial.more_runs", { count: runs.size - MOST_RUNS })}</p>}
    </div>
  );
}

function byRun(places: readonly TrialPlace[]): Map<string, TrialPlace[]> {
  const runs = new Map<string, TrialPlace[]>();
  for (const place of places) runs.set(place.run_id, [...(runs.get(place.run_id) ?? []), place]);
  return runs;
}
