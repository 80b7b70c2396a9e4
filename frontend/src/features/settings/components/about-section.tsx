import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { Panel } from "@/components/panel";
import { ErrorState, Skeleton } from "@/components/states";
import { CopyButton } from "@/components/values";
import { sessionQuery } from "@/lib/api/queries";

import styles from "./about-section.module.css";

/** What is installed, how it runs, who is here. */
export function AboutSection() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(sessionQuery);
  return (
    <Panel title={t("settings.about")}>
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <dl className={styles["list"]}>
          <dt>{t("settings.version")}</dt>
          <dd>{data === undefined ? <Skeleton width={60} /> : <><code>{data.version}</code> <CopyButton text={data.version} /></>}</dd>
          <dt>{t("settings.mode")}</dt>
          <dd>{data === undefined ? <Skeleton width={160} /> : t(`settings.mode.${data.mode}`)}</dd>
          <dt>{t("settings.user")}</dt>
          <dd>{data === undefined ? <Skeleton width={80} /> : (data.user?.username ?? "–")}</dd>
          <dt>API</dt>
          <dd><a href="/api/docs">{t("settings.api_docs")}</a></dd>
        </dl>
      )}
    </Panel>
  );
}
