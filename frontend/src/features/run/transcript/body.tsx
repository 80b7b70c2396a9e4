import { ChevronRight } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";

import { Attachments } from "@/components/attachments";
import { VerdictCard } from "@/components/verdict-card";
import { bytes } from "@/lib/format";
import type { Event, Payload } from "@/generated/events";

import { filesOf } from "../details/event-files";
import { useRunPlace } from "../model/run-context";
import { argumentsText, textOf } from "../model/summary";
import styles from "./transcript.module.css";

const FOLD_CHARACTERS = 700;
const FOLD_LINES = 10;
const MOST_CHARACTERS = 20_000;

interface BodyProps {
  event: Event;
  unfolded: boolean;
  onFold: () => void;
}

/** What an event says, as a person reads it. */
export function Body({ event, unfolded, onFold }: BodyProps) {
  const payload = event.payload;
  switch (payload.kind) {
    case "llm.requested":
      return <Streaming span={event.seq} model={payload.model} />;
    case "llm.responded":
      return <Answer payload={payload} unfolded={unfolded} onFold={onFold} />;
    case "tool.called":
      return <code className={styles["call"]}>{`${payload.tool}(${argumentsText(payload.arguments)})`}</code>;
    case "tool.returned":
    case "tool.failed":
      return <ToolResult event={event} payload={payload} unfolded={unfolded} onFold={onFold} />;
    case "environment.observed":
      return (
        <>
          <Text text={textOf(payload)} unfolded={unfolded} onFold={onFold} />
          <Files event={event} />
        </>
      );
    case "environment.verified":
      return <VerdictCard verdict={payload} />;
    case "message.sent":
      return <Text text={payload.content} unfolded={unfolded} onFold={onFold} />;
    case "plan.proposed":
    case "plan.revised":
      return <ol className={styles["steps"]}>{payload.steps.map((step, index) => <li key={index}>{step}</li>)}</ol>;
    case "payload.offloaded":
      return <Offloaded payload={payload} />;
    default:
      return <Text text={textOf(payload)} unfolded={unfolded} onFold={onFold} />;
  }
}

/** The pictures in place, and the files to save. */
function Files({ event }: { event: Event }) {
  const { runId } = useRunPlace().session;
  return <Attachments files={filesOf(runId, event)} small />;
}

/** Whom a message is for, in the row's head. */
export function Recipients({ event, purpose }: { event: Event; purpose: string }) {
  const { t } = useTranslation();
  const to = event.recipients?.join(", ") ?? event.topic ?? "";
  return (
    <span className={styles["to"]}>
      → {to === "" ? t("trace.transcript.everyone") : to}
      {purpose !== "" && <span className={styles["purpose"]}>{purpose}</span>}
    </span>
  );
}

/** Text in full, or its start with a button for the rest. */
export function Text({ text, unfolded, onFold }: { text: string; unfolded: boolean; onFold: () => void }) {
  const { t } = useTranslation();
  if (text === "") return null;
  const folds = text.length > FOLD_CHARACTERS || text.split("\n", FOLD_LINES + 1).length > FOLD_LINES;
  const shown = folds && !unfolded ? text.slice(0, FOLD_CHARACTERS).split("\n").slice(0, FOLD_LINES).join("\n") : text.slice(0, MOST_CHARACTERS);
  return (
    <>
      <p className={styles["text"]}>
        {shown}
        {shown.length < text.length && " …"}
      </p>
      {folds && (
        <button type="button" className={styles["fold"]} onClick={onFold}>
          {unfolded ? t("trace.transcript.less") : t("trace.transcript.more", { size: bytes(text.length) })}
        </button>
      )}
    </>
  );
}

function Streaming({ span, model }: { span: number; model: string }) {
  const { t } = useTranslation();
  const { streams } = useRunPlace().session;
  const stream = useSyncExternalStore(streams.watch, () => streams.get(span));
  return (
    <p className={styles["text"]} aria-live="off">
      {stream === undefined ? <span className={styles["soft"]}>{t("trace.transcript.asking", { model })}</span> : stream.text.slice(-MOST_CHARACTERS)}
      {stream !== undefined && <span className={styles["caret"]} aria-hidden />}
    </p>
  );
}

function Answer({ payload, unfolded, onFold }: { payload: Extract<Payload, { kind: "llm.responded" }>; unfolded: boolean; onFold: () => void }) {
  return (
    <>
      <Text text={payload.text} unfolded={unfolded} onFold={onFold} />
      {(payload.tool_calls ?? []).map((call, index) => (
        <code key={index} className={styles["call"]}>
          {`${String(call["name"])}(${argumentsText(call["arguments"] as Record<string, unknown> | null)})`}
        </code>
      ))}
    </>
  );
}

function ToolResult({ event, payload, unfolded, onFold }: BodyProps & { payload: Extract<Payload, { kind: "tool.returned" | "tool.failed" }> }) {
  const { store } = useRunPlace().session;
  const called = typeof event.span === "number" ? store.events.peek(event.span)?.payload : undefined;
  const given = called?.kind === "tool.called" ? argumentsText(called.arguments) : "…";
  const text = payload.kind === "tool.returned" ? payload.text : payload.error;
  const long = text.length > 120 || text.includes("\n");
  return (
    <>
      <button type="button" className={styles["result"]} onClick={onFold} aria-expanded={unfolded}>
        <ChevronRight size={13} className={unfolded ? styles["turned"] : undefined} aria-hidden />
        <code className={styles["one"]}>{`${payload.tool}(${given})`}</code>
        {!unfolded && <span className={styles["one"]}>{` → ${text.slice(0, 200)}`}</span>}
      </button>
      {unfolded && <pre className={styles["output"]}>{long ? text.slice(0, MOST_CHARACTERS) : text}</pre>}
      <Files event={event} />
    </>
  );
}

function Offloaded({ payload }: { payload: Extract<Payload, { kind: "payload.offloaded" }> }) {
  const { t } = useTranslation();
  return (
    <>
      <p className={styles["text"]}>{payload.preview.slice(0, FOLD_CHARACTERS)} …</p>
      <span className={styles["soft"]}>{t("trace.transcript.large", { size: bytes(payload.size) })}</span>
    </>
  );
}
