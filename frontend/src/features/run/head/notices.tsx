import { useQuery } from "@tanstack/react-query";
import { Hourglass, TriangleAlert, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { ErrorState } from "@/components/states";
import { exact } from "@/lib/format";
import { useConnection } from "@/lib/live";

import { runApi } from "../api/run-api";
import { useFromStore, useRunPlace } from "../model/run-context";
import styles from "./head.module.css";

/** What a person must know before reading on: the run waits, was lost, is paused, is cut off. */
export function Notices() {
  const { t } = useTranslation();
  const { run, session, live } = useRunPlace();
  const connection = useConnection();
  const failed = useFromStore(({ loading }) => loading.state === "failed");
  const jumped = useFromStore(({ jumps }) => jumps.length);
  const { loading, jumps } = session;
  return (
    <>
      {failed && loading.state === "failed" && <ErrorState error={loading.error} onRetry={() => location.reload()} compact />}
      {run.status === "queued" && <Queued />}
      {run.status === "lost" && <Lost />}
      {live && (connection === "offline" || connection === "reconnecting") && (
        <Notice icon={<Unplug size={15} />} tone="warning">{t(`trace.notice.${connection}`)}</Notice>
      )}
      {jumped > 0 && (
        <Notice icon={<TriangleAlert size={15} />} tone="warning">
          {t("trace.notice.jumped", { from: jumps[0]?.from ?? 0, to: jumps.at(-1)?.to ?? 0 })}
        </Notice>
      )}
    </>
  );
}

function Queued() {
  const { t } = useTranslation();
  const { run } = useRunPlace();
  const { data } = useQuery({
    queryKey: ["runs", "queue"],
    queryFn: ({ signal }) => runApi.queue(signal),
    refetchInterval: 5_000,
  });
  const place = data?.runs.findIndex((each) => each.run_id === run.run_id) ?? -1;
  const words = place < 0 ? t("trace.notice.queued") : t("trace.notice.queued_at", { place: place + 1, total: data?.total ?? place + 1 });
  return <Notice icon={<Hourglass size={15} />}>{words}</Notice>;
}

function Lost() {
  const { t, i18n } = useTranslation();
  const { run, session } = useRunPlace();
  const at = useFromStore(({ store }) => {
    for (let seq = store.known.last; seq >= Math.max(0, store.known.last - 50); seq -= 1) {
      if (store.kind(seq) === "run.lost" && store.startAt !== null) return store.startAt + store.at(seq);
    }
    return 0;
  });
  const since = at === 0 ? (session.store.startAt ?? run.started_at) + session.store.latest : at;
  return (
    <Notice icon={<TriangleAlert size={15} />} tone="error">
      {t("trace.notice.lost", { time: exact(since, i18n.language), worker: run.worker || "?" })}
    </Notice>
  );
}

function Notice({ icon, tone = "info", children }: { icon: ReactNode; tone?: "info" | "warning" | "error"; children: ReactNode }) {
  return (
    <div className={`${styles["notice"] ?? ""} ${styles[`notice-${tone}`] ?? ""}`} role={tone === "error" ? "alert" : "status"}>
      {icon}
      <span>{children}</span>
    </div>
  );
}
