import { useQuery } from "@tanstack/react-query";
import { MessageCircleQuestion, ShieldQuestion } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "@/components/button";
import { Input } from "@/components/field";
import { useNow } from "@/components/values";
import type { Event, Payload } from "@/generated/events";
import { duration } from "@/lib/format";

import { runApi } from "../../api/run-api";
import { SeqLink } from "../../details/seq-link";
import { useFromStore, useRunPlace } from "../../model/run-context";
import { useCommands } from "../model/use-commands";
import { useHolder } from "../model/use-holder";
import { ApprovalForm } from "./approval-form";
import styles from "./banners.module.css";

const GOING = new Set(["running", "paused", "parked"]);

/** Questions that agents put to a person and that wait for an answer. */
export function AskedBanner() {
  const { run, session } = useRunPlace();
  const { store } = session;
  const spans = useFromStore(() => [...store.open].filter((seq) => store.kind(seq) === "person.asked").join());
  if (spans === "" || !GOING.has(run.status)) return null;
  return spans.split(",").map((span) => {
    const event = store.events.peek(Number(span));
    return event === undefined ? null : <Asked key={span} event={event} />;
  });
}

/** One question; a long one is fetched whole. */
function Asked({ event }: { event: Event }) {
  const { run } = useRunPlace();
  const offloaded = event.payload.kind === "payload.offloaded";
  const whole = useQuery({
    queryKey: ["runs", run.run_id, "events", event.seq],
    queryFn: () => runApi.event(run.run_id, event.seq),
    enabled: offloaded,
  });
  const payload = offloaded ? whole.data?.payload : event.payload;
  return payload?.kind === "person.asked" ? <Question event={event} payload={payload} /> : null;
}

function Question({ event, payload }: { event: Event; payload: Extract<Payload, { kind: "person.asked" }> }) {
  const { t } = useTranslation();
  const { run } = useRunPlace();
  const { busy, send } = useCommands();
  const { blocked } = useHolder();
  const [text, setText] = useState(payload.default ?? "");
  const choices = payload.choices ?? [];
  const approval = payload.approval ?? null;
  const actor = (payload.agent ?? "") || event.actor;
  const answer = (words: string) => void send(() => runApi.answer(run.run_id, event.seq, words));
  if (approval !== null) {
    const tool = (approval.tool ?? "") || t("debug.approval.model");
    const why = (approval.hook ?? "") === "" ? t("debug.approval.why_rules", { rules: (approval.rules ?? []).join(", ") }) : t("debug.approval.why_hook", { hook: approval.hook });
    return (
      <section className={styles["asked"]} aria-label={t("debug.approval.label")}>
        <div className={styles["line"]}>
          <ShieldQuestion size={16} aria-hidden />
          <strong>{t(approval.stage === "after" ? "debug.approval.result" : "debug.approval.wants", { actor, tool })}</strong>
          <SeqLink seq={approval.call} />
          <span className={styles["soft"]}>{why}</span>
          <Countdown event={event} payload={payload} />
        </div>
        <p className={styles["question"]}>{payload.question}</p>
        <ApprovalForm approval={approval} canAlways={choices.includes("allow always")} disabled={busy || blocked} onAnswer={answer} />
      </section>
    );
  }
  return (
    <section className={styles["asked"]} aria-label={t("debug.asked.label")}>
      <div className={styles["line"]}>
        <MessageCircleQuestion size={16} aria-hidden />
        <strong>{t("debug.asked.asks", { actor })}</strong>
        <SeqLink seq={event.seq} />
        <Countdown event={event} payload={payload} />
      </div>
      <p className={styles["question"]}>{payload.question}</p>
      <form
        className={styles["commands"]}
        onSubmit={(submit) => {
          submit.preventDefault();
          if (text.trim() !== "") answer(text);
        }}
      >
        {choices.map((choice) => (
          <Button key={choice} disabled={busy || blocked} kind={choice === payload.default ? "primary" : "plain"} onClick={() => answer(choice)}>{choice}</Button>
        ))}
        <span className={styles["answer"]}>
          <Input aria-label={t("debug.asked.answer")} placeholder={t("debug.asked.answer")} value={text} onChange={(change) => setText(change.target.value)} />
          <Button type="submit" kind={choices.length > 0 ? "plain" : "primary"} busy={busy} disabled={text.trim() === "" || blocked}>{t("debug.asked.send")}</Button>
        </span>
      </form>
    </section>
  );
}

/** How long until the default is taken; the run's clock stands still while it is paused. */
function Countdown({ event, payload }: { event: Event; payload: Extract<Payload, { kind: "person.asked" }> }) {
  const { t } = useTranslation();
  const { run, session } = useRunPlace();
  const wall = useNow();
  if (typeof payload.timeout_s !== "number") return null;
  const words = payload.default ?? "";
  const start = session.store.startAt ?? event.at;
  const left = event.at + payload.timeout_s * 1e6 - (start + session.now(wall));
  const then = words === "" ? t("debug.asked.then_none") : t("debug.asked.then", { answer: words });
  if (run.status !== "running") return <span className={styles["soft"]}>{then}</span>;
  return <span className={styles["soft"]}>{t("debug.asked.left", { time: duration(Math.max(0, left)) })} {then}</span>;
}
