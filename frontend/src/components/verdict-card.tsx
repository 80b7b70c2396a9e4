import { useTranslation } from "react-i18next";

import { Score } from "./score";
import styles from "./verdict-card.module.css";

interface Verdict {
  score: number | null;
  why?: string;
  details?: Record<string, unknown>;
  near_miss?: string;
}

/** An environment's judgement: the score, why, what was near, and what each test found. */
export function VerdictCard({ verdict }: { verdict: Verdict }) {
  const { t } = useTranslation();
  const { score, why = "", details = {}, near_miss: near = "" } = verdict;
  const found = Object.entries(details);
  return (
    <section className={styles["card"]} aria-label={t("forms.verdict")} data-score={score === null ? undefined : score >= 1 ? "passed" : score > 0 ? "partly" : "failed"}>
      <header className={styles["head"]}><Score value={score} /><span className={styles["word"]}>{t("forms.verdict")}</span></header>
      {why !== "" && <p className={styles["why"]}>{why}</p>}
      {near !== "" && <p className={styles["near"]}>{t("forms.near_miss", { what: near })}</p>}
      {found.length > 0 && (
        <details className={styles["details"]}>
          <summary>{t("forms.details", { count: found.length })}</summary>
          <dl>
            {found.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{typeof value === "string" ? value : JSON.stringify(value, null, 1)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </section>
  );
}
