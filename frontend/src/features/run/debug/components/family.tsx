import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";

import { classNames } from "@/components/class-names";
import { ErrorState } from "@/components/states";
import { StatusMark } from "@/components/status-mark";
import { RelativeTime } from "@/components/values";
import { shortId } from "@/lib/format";

import { useRunPlace } from "../../model/run-context";
import { debugApi } from "../api/debug-api";
import { familyLines, type FamilyLine } from "../model/family";
import styles from "./family.module.css";

const ENDED = new Set(["finished", "failed", "cancelled"]);

/** All runs that were forked round this one, as a tree; nothing where there are none. */
export function Family() {
  const { t } = useTranslation();
  const { run } = useRunPlace();
  const related = run.parent_run_id !== "" || run.forks.length > 0;
  const { data, error } = useQuery({
    queryKey: ["run", run.run_id, "family", run.forks.length],
    queryFn: ({ signal }) => debugApi.family(run.run_id, signal),
    enabled: related,
    refetchInterval: (query) => (query.state.data === undefined || familyLines(query.state.data.root).every(({ branch }) => ENDED.has(branch.status)) ? false : 3_000),
  });
  if (!related) return null;
  if (error !== null) return <ErrorState error={error} compact />;
  if (data === undefined) return null;
  const lines = familyLines(data.root);
  return (
    <section className={styles["family"]} aria-label={t("debug.family.label")}>
      <h3>{t("debug.family.title", { count: lines.length - 1 })}</h3>
      <ul>{lines.map((line) => <Line key={line.branch.run_id} line={line} here={line.branch.run_id === run.run_id} />)}</ul>
    </section>
  );
}

function Line({ line: { branch, depth }, here }: { line: FamilyLine; here: boolean }) {
  const { t } = useTranslation();
  const result = branch.answer === "" ? branch.error : branch.answer;
  return (
    <li className={classNames(styles["line"], here && styles["here"])} style={{ paddingLeft: 8 + depth * 18 }}>
      {depth > 0 && <span className={styles["branch"]} style={{ left: 8 + (depth - 1) * 18 }} aria-hidden />}
      <span className={styles["head"]}>
        <StatusMark status={branch.status} word={false} />
        {here ? <strong aria-current="page">{shortId(branch.run_id)}</strong> : <Link to={`/runs/${branch.run_id}`}>{shortId(branch.run_id)}</Link>}
        <span className={styles["soft"]}>{depth === 0 ? t("debug.family.root") : t("debug.family.at", { seq: branch.parent_seq })}</span>
        <span className={styles["time"]}><RelativeTime at={branch.created_at} /></span>
      </span>
      {result !== "" && <span className={classNames(styles["result"], branch.answer === "" && styles["failed"])} title={result}>{result}</span>}
    </li>
  );
}
