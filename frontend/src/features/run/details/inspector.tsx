import { Link2, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { IconButton } from "@/components/button";
import { ErrorState, SkeletonRows } from "@/components/states";
import { Tabs, type Tab } from "@/components/tabs";
import { useCopy } from "@/components/values";
import type { Event } from "@/generated/events";
import { kindOf, severityOf } from "@/lib/events/kinds";

import { runApi } from "../api/run-api";
import { writeAddress } from "../model/address";
import { select } from "../model/page-state";
import { usePage, useRunPlace } from "../model/run-context";
import { EventText } from "./event-text";
import { Facts } from "./facts";
import styles from "./inspector.module.css";
import { JsonView } from "./json-view";
import { KindBadge } from "./kind-badge";
import { PromptView } from "./prompt-view";
import { RunOverview } from "./run-overview";
import { useEvent } from "./use-event";

type Part = "event" | "prompt" | "payload" | "raw";

/** At the right of the page: the selected event, or the run where none is selected. */
export function Inspector() {
  const { t } = useTranslation();
  const seq = usePage((state) => state.seq);
  return (
    <aside className={styles["inspector"]} aria-label={t("trace.details.label")}>
      {seq === null ? <RunOverview /> : <Selected key={seq} seq={seq} />}
    </aside>
  );
}

function Selected({ seq }: { seq: number }) {
  const { event, error, retry } = useEvent(seq);
  if (error !== null) return <ErrorState error={error} onRetry={retry} />;
  if (event === undefined) return <SkeletonRows rows={9} />;
  return <EventDetails event={event} />;
}

let lastPart: Part = "event";

function EventDetails({ event }: { event: Event }) {
  const { t } = useTranslation();
  const { session, page } = useRunPlace();
  const kind = kindOf(event);
  const asked = promptSeq(event, kind);
  const [chosen, setChosen] = useState<Part>(lastPart);
  const part = chosen === "prompt" && asked === null ? "event" : chosen;
  const choose = (next: Part) => {
    lastPart = next;
    setChosen(next);
  };
  const offloaded = event.payload.kind === "payload.offloaded";
  const whole = { url: runApi.eventAddress(session.runId, event.seq) };
  const tabs: Tab<Part>[] = [
    { name: "event", label: t("trace.details.event") },
    ...(asked === null ? [] : [{ name: "prompt" as const, label: t("trace.details.prompt") }]),
    { name: "payload", label: t("trace.details.payload") },
    { name: "raw", label: t("trace.details.raw") },
  ];
  return (
    <>
      <header className={styles["head"]}>
        <KindBadge kind={kind} severity={severityOf(event)} />
        <span className={styles["seq"]}>#{event.seq}</span>
        <span className={styles["space"]} />
        <PermalinkButton seq={event.seq} />
        <IconButton label={t("common.close")} keys="escape" onClick={() => select(page, null)}>
          <X size={15} />
        </IconButton>
      </header>
      <Tabs tabs={tabs} value={part} onChange={choose} label={t("trace.details.label")}>
        {part === "event" && (
          <div className={styles["scroll"]}>
            <Facts event={event} kind={kind} />
            <EventText event={event} onWhole={() => choose("payload")} />
          </div>
        )}
        {part === "prompt" && asked !== null && <PromptView seq={asked} />}
        {part === "payload" && <JsonView job={offloaded ? whole : { text: JSON.stringify(event.payload) }} />}
        {part === "raw" && <JsonView job={offloaded ? whole : { text: JSON.stringify(event) }} />}
      </Tabs>
    </>
  );
}

/** The request whose prompt belongs to an event of a model call. */
function promptSeq(event: Event, kind: string): number | null {
  if (kind === "llm.requested") return event.seq;
  return kind.startsWith("llm.") && typeof event.span === "number" ? event.span : null;
}

function PermalinkButton({ seq }: { seq: number }) {
  const { t } = useTranslation();
  const { page } = useRunPlace();
  const [copied, copy] = useCopy();
  const link = () => `${location.origin}${location.pathname}${writeAddress({ ...page.getState(), seq })}`;
  return (
    <IconButton label={copied ? t("common.copied") : t("trace.details.permalink")} onClick={() => copy(link())}>
      <Link2 size={15} />
    </IconButton>
  );
}
