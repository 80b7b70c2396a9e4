import { useTranslation } from "react-i18next";

import { classNames } from "@/components/class-names";
import { compact, duration, money } from "@/lib/format";

import type { Budget } from "../api/debug-api";
import { share } from "../model/state-diff";
import styles from "./state-panel.module.css";

const WRITE: Record<string, (value: number) => string> = {
  cost_usd: money,
  seconds: (value) => duration(value * 1e6),
};

const write = (name: string, value: number) => (WRITE[name] ?? compact)(value);

/** How much of each limit was used; the ones without a limit as a figure only. */
export function Budgets({ budget, before }: { budget: Record<string, Budget>; before: Record<string, Budget> | undefined }) {
  const { t } = useTranslation();
  return (
    <dl className={styles["budgets"]}>
      {Object.entries(budget).map(([name, each]) => {
        const part = share(each);
        const grew = before !== undefined && name !== "seconds" && before[name]?.used !== each.used;
        const words = each.limit === null ? write(name, each.used) : `${write(name, each.used)} / ${write(name, each.limit)}`;
        return (
          <div key={name} className={classNames(styles["budget"], grew && styles["new"])}>
            <dt>{t(`debug.budget.${name}`)}</dt>
            <dd>{words}</dd>
            {part !== null && (
              <span
                className={styles["meter"]}
                role="meter"
                aria-label={t(`debug.budget.${name}`)}
                aria-valuemin={0}
                aria-valuemax={each.limit ?? 0}
                aria-valuenow={each.used}
                aria-valuetext={words}
                data-level={part >= 1 ? "full" : part >= 0.8 ? "high" : undefined}
              >
                <span style={{ width: `${String(part * 100)}%` }} />
              </span>
            )}
          </div>
        );
      })}
    </dl>
  );
}
