import { useTranslation } from "react-i18next";

import { condensed, diffLines } from "../model/line-diff";
import styles from "./diff-view.module.css";

const SIGNS = { same: " ", before: "−", after: "+" } as const;

/** What was taken away and what was put there; far unchanged lines are left out. */
export function DiffView({ before, after, label }: { before: string; after: string; label: string }) {
  const { t } = useTranslation();
  if (before === after) return <p className={styles["none"]}>{t("debug.diff.none")}</p>;
  return (
    <div className={styles["diff"]} role="group" aria-label={label} tabIndex={0}>
      {condensed(diffLines(before, after)).map((line, index) =>
        line === null ? (
          <div key={index} className={styles["gap"]}>⋯</div>
        ) : (
          <div key={index} className={styles[line.side]}>
            <span className={styles["sign"]} aria-label={line.side === "same" ? undefined : t(`debug.diff.${line.side}`)}>{SIGNS[line.side]}</span>
            {line.text === "" ? " " : line.text}
          </div>
        ),
      )}
    </div>
  );
}
