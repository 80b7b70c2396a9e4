import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import type { Event, Payload } from "@/generated/events";
import { compact, duration, exact, money } from "@/lib/format";

import { useFromStore, useRunPlace, useStoreVersion } from "../model/run-context";
import styles from "./inspector.module.css";
import { SeqLink } from "./seq-link";

/** Who, when, how long, why, for whom: what every event has, and what a model call cost. */
export function Facts({ event, kind }: { event: Event; kind: string }) {
  const { t, i18n } = useTranslation();
  const { session } = useRunPlace();
  const { store } = session;
  useStoreVersion();
  const span = event.span ?? null;
  const opener = span === null ? event.seq : span;
  const open = useFromStore(() => store.isOpen(opener));
  const length = span === null || !store.has(span) ? 0 : store.end(span) - store.at(span);
  const since = store.startAt === null ? null : event.at - store.startAt;
  return (
    <dl className={styles["facts"]}>
      <Fact name={t("trace.fact.actor")}>
        {event.actor}
        {event.role !== undefined && event.role !== "" && event.role !== event.actor && <span className={styles["soft"]}> · {event.role}</span>}
      </Fact>
      <Fact name={t("trace.fact.time")}>
        {since !== null && <span>+{duration(since)}</span>}
        <span className={styles["soft"]}> · {exact(event.at, i18n.language)}</span>
      </Fact>
      {(length > 0 || open) && (
        <Fact name={t("trace.fact.length")}>{open ? t("trace.fact.running") : duration(length)}</Fact>
      )}
      <Links event={event} />
      {event.payload.kind === "llm.responded" && <ModelFacts payload={event.payload} />}
      {kind === "llm.requested" && event.payload.kind === "llm.requested" && <Fact name={t("trace.fact.model")}>{event.payload.model}</Fact>}
    </dl>
  );
}

/** Whom it was for, and the events it hangs together with. */
function Links({ event }: { event: Event }) {
  const { t } = useTranslation();
  const { span, parent, topic, recipients, caused_by: causes } = event;
  const to = recipients?.join(", ") ?? "";
  return (
    <>
      {to !== "" && <Fact name={t("trace.fact.to")}>{to}</Fact>}
      {topic !== undefined && topic !== "" && <Fact name={t("trace.fact.topic")}>{topic}</Fact>}
      {causes !== undefined && causes.length > 0 && (
        <Fact name={t("trace.fact.caused_by")}>{causes.map((seq) => <SeqLink key={seq} seq={seq} />)}</Fact>
      )}
      {typeof span === "number" && span !== event.seq && <Fact name={t("trace.fact.span")}><SeqLink seq={span} /></Fact>}
      {typeof parent === "number" && <Fact name={t("trace.fact.parent")}><SeqLink seq={parent} /></Fact>}
    </>
  );
}

function ModelFacts({ payload }: { payload: Extract<Payload, { kind: "llm.responded" }> }) {
  const { t } = useTranslation();
  const cached = payload.cached_input_tokens ?? 0;
  const tokens = t("trace.fact.tokens_value", {
    input: compact(payload.input_tokens ?? 0),
    output: compact(payload.output_tokens ?? 0),
  });
  return (
    <>
      {payload.model !== undefined && payload.model !== "" && <Fact name={t("trace.fact.model")}>{payload.model}</Fact>}
      {(payload.connection ?? "") !== "" && <Fact name={t("trace.fact.connection")}>{payload.connection}</Fact>}
      {(payload.instead_of ?? "") !== "" && <Fact name={t("trace.fact.instead_of")}>{payload.instead_of}</Fact>}
      <Fact name={t("trace.fact.tokens")}>
        {tokens}
        {cached > 0 && <span className={styles["soft"]}> · {t("trace.fact.cached", { count: cached, number: compact(cached) })}</span>}
      </Fact>
      {typeof payload.cost_usd === "number" && <Fact name={t("trace.fact.cost")}>{money(payload.cost_usd)}</Fact>}
      {typeof payload.first_token_us === "number" && <Fact name={t("trace.fact.first_token")}>{duration(payload.first_token_us)}</Fact>}
      {payload.finish_reason !== undefined && payload.finish_reason !== "stop" && <Fact name={t("trace.fact.finish")}>{payload.finish_reason}</Fact>}
    </>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
