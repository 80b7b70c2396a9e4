import { Play, RotateCcw, Square } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Attachments } from "@/components/attachments";
import { Badge } from "@/components/badge";
import { Button } from "@/components/button";
import { Field, Input } from "@/components/field";
import { Panel } from "@/components/panel";
import { SchemaForm } from "@/components/schema-form";
import { ErrorState } from "@/components/states";
import { StatusMark } from "@/components/status-mark";
import { CopyButton, Duration, useNow } from "@/components/values";
import { duration } from "@/lib/format";

import type { Outcome, ToolDetail } from "../api/tools";
import styles from "./try-it.module.css";
import { useTrial } from "./use-trial";

const MOST_CHARACTERS = 60_000;

/** A form made from the tool's schema, and what the call gives. Calls share one scratch folder. */
export function TryIt({ tool }: { tool: ToolDetail }) {
  const { t } = useTranslation();
  const { call, cancel, clear } = useTrial();
  const [seconds, setSeconds] = useState("");
  const [hosts, setHosts] = useState("");
  const [started, setStarted] = useState(0);
  const now = useNow();
  const limit = seconds === "" ? null : Number(seconds);
  const wrong = limit !== null && !(limit > 0 && limit <= 600);
  return (
    <Panel
      title={t("tools.try")}
      actions={<Button kind="quiet" icon={<RotateCcw />} disabled={call.isPending || call.data === undefined} onClick={clear} title={t("tools.try.fresh_hint")}>{t("tools.try.fresh")}</Button>}
    >
      <div className={styles["body"]}>
        <SchemaForm
          schema={tool.parameters}
          submit={t("tools.try.call")}
          icon={<Play />}
          busy={call.isPending}
          extra={call.isPending && <Button icon={<Square />} onClick={cancel}>{t("common.cancel")}</Button>}
          onSubmit={(value) => {
            if (wrong) return;
            setStarted(now);
            call.mutate({ tool: tool.name, arguments: value, timeout_s: limit, network: hosts.split(/[\s,]+/).filter(Boolean) });
          }}
        />
        <details className={styles["limits"]}>
          <summary>{t("tools.try.limits", { seconds: limit ?? Math.min(600, tool.timeout_s) })}</summary>
          <div className={styles["grid"]}>
            <Field label={t("tools.try.seconds")} hint={t("tools.try.seconds_hint")} problem={wrong ? t("tools.try.seconds_wrong") : undefined}>
              {(control) => <Input {...control} inputMode="decimal" value={seconds} placeholder={String(Math.min(600, tool.timeout_s))} onChange={(event) => setSeconds(event.target.value)} />}
            </Field>
            <Field label={t("tools.try.hosts")} hint={t("tools.try.hosts_hint")}>
              {(control) => <Input {...control} mono value={hosts} onChange={(event) => setHosts(event.target.value)} />}
            </Field>
          </div>
        </details>
        <p className={styles["about"]}>{t("tools.try.about")}</p>
        {call.isPending && <p className={styles["going"]} role="status">{t("tools.try.going")} <Duration from={started} to={0} /></p>}
        {call.error !== null && <ErrorState error={call.error} title={t("tools.try.not_called")} compact />}
        {call.data !== undefined && !call.isPending && <Result outcome={call.data} />}
      </div>
    </Panel>
  );
}

function Result({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation();
  const data = outcome.data === null || outcome.data === undefined ? "" : JSON.stringify(outcome.data, null, 2);
  const cut = outcome.text.length - MOST_CHARACTERS;
  return (
    <section className={styles["result"]} data-ok={outcome.ok} aria-label={t("tools.try.result")} aria-live="polite">
      <header className={styles["head"]}>
        <StatusMark status={outcome.ok ? "ok" : "error"} label={outcome.ok ? t("tools.try.ok") : t("tools.try.failed")} />
        {outcome.reason !== "" && <Badge tone="error">{t(`tools.reason.${outcome.reason}`, { defaultValue: outcome.reason })}</Badge>}
        <span className={styles["time"]}>{duration(outcome.seconds * 1e6)} · {t("tools.try.number", { number: outcome.number })}</span>
        <CopyButton text={outcome.text} />
      </header>
      <pre className={styles["text"]} tabIndex={0}>{outcome.text === "" ? "∅" : outcome.text.slice(0, MOST_CHARACTERS)}</pre>
      {cut > 0 && <p className={styles["about"]}>{t("tools.try.cut", { count: cut })}</p>}
      <Attachments files={outcome.attachments} />
      {data !== "" && (
        <details className={styles["data"]}>
          <summary>{t("tools.try.data")}</summary>
          <pre className={styles["text"]} tabIndex={0}>{data.slice(0, MOST_CHARACTERS)}</pre>
        </details>
      )}
    </section>
  );
}
