import { useTranslation } from "react-i18next";

import { ErrorState } from "@/components/states";
import { StatusMark } from "@/components/status-mark";
import { duration } from "@/lib/format";
import type { ModelTest } from "@/lib/api/types";

import styles from "./test-result.module.css";

interface TestLike {
  data: ModelTest | undefined;
  error: Error | null;
  isPending: boolean;
}

/** How a test went, in the provider's own words. */
export function TestResult({ test }: { test: TestLike }) {
  const { t } = useTranslation();
  if (test.isPending) return <p className={styles["asking"]} role="status">{t("settings.test.asking")}</p>;
  if (test.error !== null) return <ErrorState error={test.error} title={t("settings.test.failed")} compact />;
  if (test.data === undefined) return null;
  const { ok, message, latency_ms, reply } = test.data;
  return (
    <div className={ok ? styles["good"] : styles["bad"]} role="status">
      <div className={styles["line"]}>
        <StatusMark status={ok ? "ok" : "error"} label={ok ? t("settings.test.ok") : t("settings.test.refused")} />
        <span className={styles["time"]}>{duration(latency_ms * 1000)}</span>
      </div>
      {message !== "" && <p className={styles["message"]}>{message}</p>}
      {ok && reply !== "" && <p className={styles["reply"]}>{t("settings.test.reply")} <q>{reply}</q></p>}
    </div>
  );
}
