import { useTranslation } from "react-i18next";

import { classNames } from "@/components/class-names";
import { Score } from "@/components/score";
import { compact, money } from "@/lib/format";
import { useConnection } from "@/lib/live";

import { select } from "../model/page-state";
import { useRunPlace, useStoreVersion } from "../model/run-context";
import { stepError } from "../model/step";
import styles from "./head.module.css";
import { Ribbon } from "./ribbon";

/** One line of figures over everything: completeness, events, errors, tokens, cost, connection. */
export function Counts() {
  const { t } = useTranslation();
  const { session, run, page } = useRunPlace();
  useStoreVersion();
  const { events, errors, warnings, inputTokens, outputTokens, costUsd } = session.counters(run);
  const tokens = t("trace.count.tokens_exact", { input: inputTokens.toLocaleString("en-US"), output: outputTokens.toLocaleString("en-US") });
  return (
    <div className={styles["counts"]}>
      <Ribbon />
      {typeof run.score === "number" && <Score value={run.score} />}
      <span className={styles["figure"]}><b>{compact(events)}</b> {t("trace.count.events", { count: events })}</span>
      <button
        type="button"
        className={classNames(styles["figure"], styles["errors"], errors > 0 && styles["some"])}
        disabled={errors === 0}
        title={t("trace.count.to_error")}
        onClick={() => {
          const next = stepError(session.store, page.getState().seq, 1);
          if (next === null) return;
          session.ensure(next, next);
          select(page, next);
        }}
      >
        {errors > 0 && <svg viewBox="0 0 10 10" width="9" height="9" aria-hidden><path d="M0 1h10L5 9.5z" fill="currentColor" /></svg>}
        <b>{compact(errors)}</b> {t("trace.count.errors", { count: errors })}
      </button>
      {warnings > 0 && <span className={styles["figure"]}><b>{compact(warnings)}</b> {t("trace.count.warnings", { count: warnings })}</span>}
      <span className={styles["figure"]} title={tokens}><b>{compact(inputTokens + outputTokens)}</b> {t("trace.count.tokens")}</span>
      {costUsd > 0 && <span className={styles["figure"]}><b>{money(costUsd)}</b></span>}
      <Connection />
    </div>
  );
}

/** The state of the socket: quiet while all is well. */
function Connection() {
  const { t } = useTranslation();
  const { live, page } = useRunPlace();
  const state = useConnection();
  if (state === "idle" || (!live && state === "live")) return null;
  return (
    <button
      type="button"
      className={classNames(styles["connection"], styles[state])}
      title={t(`trace.connection.${state}_hint`)}
      disabled={!live}
      onClick={() => page.setState({ follow: true, window: null })}
    >
      <span className={styles["dot"]} aria-hidden />
      {t(`trace.connection.${state}`)}
    </button>
  );
}
