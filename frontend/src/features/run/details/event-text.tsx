import { useSyncExternalStore, type ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { Attachments } from "@/components/attachments";
import { Button } from "@/components/button";
import { VerdictCard } from "@/components/verdict-card";
import { CopyButton } from "@/components/values";
import type { Event } from "@/generated/events";
import { severityOf } from "@/lib/events/kinds";
import { bytes } from "@/lib/format";

import { useRunPlace } from "../model/run-context";
import { textOf } from "../model/summary";
import { filesOf } from "./event-files";
import styles from "./inspector.module.css";
import { indexJson } from "./json-lines";
import { JsonView } from "./json-view";

const MOST_CHARACTERS = 150_000;

/** What an event says, made to be read: text whole, arguments and results apart. */
export function EventText({ event, onWhole }: { event: Event; onWhole: () => void }) {
  const { t } = useTranslation();
  const payload = event.payload;
  switch (payload.kind) {
    case "llm.requested":
      return <StreamedText span={event.seq} />;
    case "llm.responded":
      return (
        <>
          {(payload.reasoning ?? "") !== "" && <Block title={t("trace.text.reasoning")} text={payload.reasoning ?? ""} quiet />}
          {payload.text !== "" && <Block title={t("trace.text.answer")} text={payload.text} />}
          {(payload.tool_calls ?? []).map((call, index) => (
            <Section key={index} title={`${t("trace.text.call")} ${String(call["name"])}`}>
              <Json value={call["arguments"] ?? call["raw"]} />
              {typeof call["error"] === "string" && call["error"] !== "" && <p className={styles["problem"]}>{call["error"]}</p>}
            </Section>
          ))}
        </>
      );
    case "tool.called":
      return <Section title={t("trace.text.arguments")}><Json value={payload.arguments} /></Section>;
    case "tool.returned":
    case "tool.failed":
      return <ToolText event={event} />;
    case "environment.observed":
      return (
        <>
          <Files event={event} />
          <Block title={t("trace.text.seen")} text={textOf(payload)} code />
        </>
      );
    case "environment.verified":
      return <VerdictCard verdict={payload} />;
    case "payload.offloaded":
      return (
        <>
          <Block title={t("trace.text.preview")} text={payload.preview} />
          <Button onClick={onWhole}>{t("trace.text.whole", { size: bytes(payload.size) })}</Button>
        </>
      );
    case "error.raised":
      return (
        <>
          <Block title={payload.error_type ?? t("trace.text.error")} text={payload.error} bad />
          {(payload.traceback ?? "") !== "" && <Block title={t("trace.text.traceback")} text={payload.traceback ?? ""} code />}
        </>
      );
    default:
      return <Block title={t("trace.text.text")} text={textOf(payload)} bad={severityOf(event) === 2} />;
  }
}

function ToolText({ event }: { event: Event }) {
  const { t } = useTranslation();
  const { store } = useRunPlace().session;
  const payload = event.payload;
  const called = typeof event.span === "number" ? store.events.peek(event.span)?.payload : undefined;
  return (
    <>
      {called?.kind === "tool.called" && <Section title={t("trace.text.arguments")}><Json value={called.arguments} /></Section>}
      <Files event={event} />
      {payload.kind === "tool.returned" && <Block title={t("trace.text.result")} text={payload.text} code />}
      {payload.kind === "tool.failed" && <Block title={[t("trace.text.error"), payload.reason].filter((part) => part !== undefined && part !== "error").join(" · ")} text={payload.error} code bad />}
      {payload.kind === "tool.returned" && payload.data !== undefined && payload.data !== null && (
        <Section title={t("trace.text.data")}><Json value={payload.data} /></Section>
      )}
    </>
  );
}

function Files({ event }: { event: Event }) {
  const { t } = useTranslation();
  const files = filesOf(useRunPlace().session.runId, event);
  if (files.length === 0) return null;
  return <Section title={t("trace.text.files")}><Attachments files={files} /></Section>;
}

function StreamedText({ span }: { span: number }) {
  const { t } = useTranslation();
  const { streams } = useRunPlace().session;
  const stream = useSyncExternalStore(streams.watch, () => streams.get(span));
  if (stream === undefined) return null;
  return (
    <>
      <Block title={t("trace.text.streaming")} text={stream.text} />
      {stream.torn && <p className={styles["soft"]}>{t("trace.text.torn")}</p>}
    </>
  );
}

function Json({ value }: { value: unknown }) {
  const text = JSON.stringify(value) ?? "";
  return (
    <div className={styles["json"]} style={{ height: Math.min(320, 16 + 19 * indexJson(new TextEncoder().encode(text.slice(0, 20_000))).count) }}>
      <JsonView job={{ text }} />
    </div>
  );
}

function Block({ title, text, code = false, bad = false, quiet = false }: { title: string; text: string; code?: boolean; bad?: boolean; quiet?: boolean }) {
  const { t } = useTranslation();
  if (text === "") return null;
  const cut = text.length - MOST_CHARACTERS;
  const shown = cut > 0 ? text.slice(0, MOST_CHARACTERS) : text;
  const kind = bad ? "bad" : quiet ? "quiet" : "text";
  return (
    <Section title={title} extra={<CopyButton text={text} />}>
      {code ? <pre className={styles[bad ? "badCode" : "code"]}>{shown}</pre> : <p className={styles[kind]}>{shown}</p>}
      {cut > 0 && <p className={styles["soft"]}>{t("trace.text.cut", { size: bytes(cut) })}</p>}
    </Section>
  );
}

function Section({ title, extra, children }: { title: string; extra?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles["section"]}>
      <header className={styles["sectionHead"]}>
        <h3>{title}</h3>
        {extra}
      </header>
      {children}
    </section>
  );
}
