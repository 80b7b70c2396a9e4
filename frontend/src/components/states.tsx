import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { ApiError } from "@/lib/api/error";

import { Button } from "./button";
import { classNames } from "./class-names";
import styles from "./states.module.css";

/** What belongs here, and the first step. */
export function EmptyState({ icon, title, children, action }: { icon?: ReactNode; title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles["state"]}>
      {icon !== undefined && <div className={styles["icon"]} aria-hidden>{icon}</div>}
      <h2 className={styles["title"]}>{title}</h2>
      {children !== undefined && <p className={styles["text"]}>{children}</p>}
      {action !== undefined && <div className={styles["actions"]}>{action}</div>}
    </div>
  );
}

/** The sentence to show for a failure: the server's own, or ours where it gave none. */
export function useErrorText(): (error: unknown) => { message: string; raw: string } {
  const { t } = useTranslation();
  return (error) => {
    if (!(error instanceof ApiError)) {
      const raw = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { message: t("common.error.broken"), raw };
    }
    if (error.status === 0) return { message: t("common.error.unreachable"), raw: error.raw };
    if (error.message === "not JSON") return { message: t("common.error.not_json"), raw: error.raw };
    const raw = error.raw.startsWith("{") && Object.keys(error.extra).length === 0 ? "" : error.raw;
    return { message: error.message, raw };
  };
}

/** What happened, to which thing, what to do; the raw text folds out. */
export function ErrorState({ error, title, onRetry, compact = false }: { error: unknown; title?: string; onRetry?: () => void; compact?: boolean }) {
  const { t } = useTranslation();
  const { message, raw } = useErrorText()(error);
  return (
    <div className={classNames(styles["error"], compact && styles["compact"])} role="alert">
      <TriangleAlert size={16} className={styles["sign"]} aria-hidden />
      <div className={styles["body"]}>
        <strong>{title ?? t("common.error.title")}</strong>
        <p className={styles["message"]}>{message}</p>
        {raw !== "" && (
          <details className={styles["raw"]}>
            <summary>{t("common.error.raw")}</summary>
            <pre>{raw.slice(0, 4000)}</pre>
          </details>
        )}
        {onRetry !== undefined && (
          <div className={styles["actions"]}>
            <Button onClick={onRetry}>{t("common.retry")}</Button>
          </div>
        )}
      </div>
    </div>
  );
}

/** A grey place of the final size, so that nothing jumps when the data comes. */
export function Skeleton({ width = "100%", height = 12 }: { width?: number | string; height?: number | string }) {
  return <span className={styles["skeleton"]} style={{ width, height }} aria-hidden />;
}

/** Rows of a table to come. */
export function SkeletonRows({ rows, height = 32 }: { rows: number; height?: number }) {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t("common.loading")}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={styles["row"]} style={{ height }}>
          <Skeleton width={72} />
          <Skeleton width={`${String(30 + ((index * 37) % 40))}%`} />
          <Skeleton width={48} />
        </div>
      ))}
    </div>
  );
}
