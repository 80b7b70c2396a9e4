import { useTranslation } from "react-i18next";

import type { Setup, SetupStep } from "@/lib/api/types";
import { stepDetail, stepName } from "@/lib/setup-words";

import styles from "./setup-strip.module.css";

/** The step that is going on, or the one that failed; null when all is ready. */
export function currentStep(setup: Setup): SetupStep | null {
  if (setup.ready && !setup.steps.some((step) => step.state === "running" || step.state === "failed")) return null;
  return (
    setup.steps.find((step) => step.state === "failed") ??
    setup.steps.find((step) => step.state === "running") ??
    setup.steps.find((step) => step.state === "waiting") ??
    null
  );
}

/** A thin strip while something is still being set up; the pages work meanwhile. */
export function SetupStrip({ setup }: { setup: Setup | undefined }) {
  const { t } = useTranslation();
  const step = setup === undefined ? null : currentStep(setup);
  if (setup === undefined || step === null) return null;
  const done = setup.steps.filter((each) => each.state === "done").length;
  const failed = step.state === "failed";
  return (
    <div className={failed ? styles["failed"] : styles["strip"]} role="status">
      <span className={styles["text"]}>
        <strong>{failed ? t("shell.setup.failed") : t("shell.setup.running")}</strong> {stepName(t, step)}
        {step.detail !== "" && ` · ${stepDetail(t, step)}`}
      </span>
      <span className={styles["count"]}>
        {step.progress !== null && !failed && `${String(Math.round(step.progress * 100))} % · `}
        {t("shell.setup.steps", { done, all: setup.steps.length })}
      </span>
      <progress className={styles["progress"]} max={1} {...(step.progress !== null && { value: step.progress })} aria-label={stepName(t, step)} />
    </div>
  );
}
