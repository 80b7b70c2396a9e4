import { useState } from "react";
import { useTranslation } from "react-i18next";

import { useRunPlace } from "../model/run-context";
import styles from "./head.module.css";

const LONG = 240;

/** What was asked and what came of it, without a click. Long ones fold out. */
export function Question() {
  const { t } = useTranslation();
  const { run } = useRunPlace();
  const [open, setOpen] = useState(false);
  const answer = run.answer !== "" ? run.answer : run.status === "failed" ? run.error : "";
  const long = run.input.length > LONG || answer.length > LONG || run.input.includes("\n");
  return (
    <div className={styles["question"]} data-open={open}>
      <span className={styles["mark"]}>{t("trace.run.question")}</span>
      <p className={styles["asked"]}>{run.input}</p>
      {answer !== "" && (
        <>
          <span className={styles["mark"]}>{run.answer !== "" ? t("trace.run.answer") : t("trace.run.error")}</span>
          <p className={run.answer !== "" ? styles["answered"] : styles["failed"]}>{answer}</p>
        </>
      )}
      {long && (
        <button type="button" className={styles["more"]} aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? "trace.transcript.less" : "trace.run.whole")}
        </button>
      )}
    </div>
  );
}
