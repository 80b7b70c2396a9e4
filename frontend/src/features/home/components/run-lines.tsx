import { Link } from "react-router";

import { StatusMark } from "@/components/status-mark";
import { Duration, RelativeTime } from "@/components/values";
import type { Run } from "@/lib/api/types";

import styles from "./run-lines.module.css";

/** A few runs, one line each: state, question, team, time. `newerThan` marks what was not seen yet. */
export function RunLines({ runs, newerThan, live = false }: { runs: Run[]; newerThan?: number; live?: boolean }) {
  return (
    <ul className={styles["list"]}>
      {runs.map((run) => (
        <li key={run.run_id} className={styles["line"]}>
          <StatusMark status={run.status} word={false} />
          <Link to={`/runs/${run.run_id}`} className={styles["link"]}>
            <span className={styles["input"]} title={run.input}>{run.input}</span>
            {run.error !== "" && <span className={styles["error"]} title={run.error}>{run.error}</span>}
            {run.status === "finished" && run.answer !== "" && <span className={styles["answer"]} title={run.answer}>→ {run.answer}</span>}
          </Link>
          {newerThan !== undefined && run.created_at > newerThan && <span className={styles["new"]} aria-hidden />}
          <span className={styles["team"]}>{run.team_name}</span>
          <span className={styles["time"]}>
            {live ? <Duration from={run.started_at} to={run.finished_at} /> : <RelativeTime at={run.finished_at || run.created_at} />}
          </span>
        </li>
      ))}
    </ul>
  );
}
