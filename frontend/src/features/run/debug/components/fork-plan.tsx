import { useTranslation } from "react-i18next";

import type { ForkPlan, PlannedEffect } from "../api/debug-api";
import { argumentsText } from "../../model/summary";
import { MODEL, planCounts, readPolicy } from "../model/policies";
import styles from "./dialogs.module.css";

const MOST = 200;

/** What the recorded run did behind the fork, and what would be done with its like this time. */
export function ForkPlanView({ plan, at, waiting }: { plan: ForkPlan | undefined; at: number; waiting: boolean }) {
  const { t } = useTranslation();
  if (plan === undefined) return <p className={styles["plan"]}>{t("debug.fork.plan_waiting")}</p>;
  const parts = planCounts(plan.effects).map(({ what, word, count }) =>
    what === MODEL ? t(`debug.plan.model_${word}`, { count }) : t(`debug.plan.tool_${word}`, { count, tool: what }),
  );
  return (
    <details className={styles["plan"]} aria-busy={waiting}>
      <summary>
        <span role="status">{parts.length === 0 ? t("debug.plan.nothing", { at }) : t("debug.plan.all", { parts: parts.join(t("debug.plan.and")) })}</span>
      </summary>
      <ul className={styles["effects"]}>
        {plan.effects.slice(0, MOST).map((effect) => (
          <li key={effect.seq}>
            <span>#{effect.seq}</span>
            <span>{effect.actor}</span>
            <code className={styles["cut"]} title={requestText(effect)}>{requestText(effect)}</code>
            <span>{t(`debug.policy.${readPolicy(effect.policy).word}`)}</span>
          </li>
        ))}
      </ul>
      {plan.effects.length > MOST && <p>{t("debug.plan.more", { count: plan.effects.length - MOST })}</p>}
      <p className={styles["hint"]}>{t("debug.plan.caution")}</p>
    </details>
  );
}

function requestText({ what, request }: PlannedEffect): string {
  if (what === MODEL) return what;
  return `${what}(${argumentsText(request as Record<string, unknown> | null)})`;
}
