import { Link2, X } from "lucide-react";
import { useTranslation } from "react-i18next";

import { IconButton } from "@/components/button";
import { ErrorState, SkeletonRows } from "@/components/states";
import { Tabs, type Tab } from "@/components/tabs";
import { useCopy } from "@/components/values";
import type { Event } from "@/generated/events";
import { kindOf, severityOf } from "@/lib/events/kinds";

import { runApi } from "../api/run-api";
import { EditHistory } from "../debug/components/edit-history";
import { EventActions } from "../debug/components/event-actions";
import { EditedBadge, SourceBadge } from "../debug/components/source-badge";
import { StatePanel } from "../debug/components/state-panel";
import { useDebug, useDebugUi } from "../debug/model/debug-context";
import type { InspectorPart } from "../debug/model/debug-ui";
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

/** At the right of the page: the selected event, or the run where none is selected; and the state. */
export function Inspector() {
  const { t } = useTranslation();
  const seq = usePage((state) => state.seq);
  return (
    <aside className={styles["inspector"]} aria-label={t("trace.details.label")}>
      {seq === null ? <OfRun /> : <Selected seq={seq} />}
    </aside>
  );
}

function OfRun() {
  const { t } = useTranslation();
  const { ui } = useDebug();
  const state = useDebugUi(({ part }) => part === "state");
  return (
    <Tabs<"run" | "state">
      tabs={[
        { name: "run", label: t("trace.details.run") },
        { name: "state", label: t("debug.state.tab") },
      ]}
      value={state ? "state" : "run"}
      onChange={(next) => ui.setState({ part: next === "state" ? "state" : "event" })}
      label={t("trace.details.label")}
    >
      {state ? <StatePanel /> : <RunOverview />}
    </Tabs>
  );
}

function Selected({ seq }: { seq: number }) {
  const { t } = useTranslation();
  const { session, page } = useRunPlace();
  const { ui } = useDebug();
  const { event, error, retry } = useEvent(seq);
  const kind = event === undefined ? session.store.kind(seq) : kindOf(event);
  const asked = event === undefined ? null : promptSeq(event, kind);
  const chosen = useDebugUi((state) => state.part);
  const part = chosen === "prompt" && asked === null ? "event" : chosen;
  const choose = (next: InspectorPart) => ui.setState({ part: next });
  const tabs: Tab<InspectorPart>[] = [
    { name: "event", label: t("trace.details.event") },
    { name: "state", label: t("debug.state.tab") },
    ...(asked === null ? [] : [{ name: "prompt" as const, label: t("trace.details.prompt") }]),
    { name: "payload", label: t("trace.details.payload") },
    { name: "raw", label: t("trace.details.raw") },
  ];
  return (
    <>
      <header className={styles["head"]}>
        <KindBadge kind={kind} severity={event === undefined ? session.store.severity(seq) : severityOf(event)} />
        <span className={styles["seq"]}>#{seq}</span>
        <SourceBadge event={event} />
        <EditedBadge seq={seq} />
        <span className={styles["space"]} />
        {event !== undefined && <EventActions event={event} />}
        <PermalinkButton seq={seq} />
        <IconButton label={t("common.close")} keys="escape" onClick={() => select(page, null)}>
          <X size={15} />
        </IconButton>
      </header>
      <Tabs tabs={tabs} value={part} onChange={choose} label={t("trace.details.label")}>
        {/* The state stays while one steps: what is new in it is seen only so. */}
        {part === "state" && <StatePanel />}
        {part !== "state" && error !== null && <ErrorState error={error} onRetry={retry} />}
        {part !== "state" && error === null && event === undefined && <SkeletonRows rows={9} />}
        {part !== "state" && event !== undefined && <EventPart key={seq} event={event} part={part} asked={asked} onWhole={() => choose("payload")} />}
      </Tabs>
    </>
  );
}

interface EventPartProps {
  event: Event;
  part: InspectorPart;
  asked: number | null;
  onWhole: () => void;
}

function EventPart({ event, part, asked, onWhole }: EventPartProps) {
  const { session } = useRunPlace();
  const offloaded = event.payload.kind === "payload.offloaded";
  const whole = { url: runApi.eventAddress(session.runId, event.seq) };
  if (part === "prompt" && asked !== null) return <PromptView seq={asked} />;
  if (part === "payload") return <JsonView job={offloaded ? whole : { text: JSON.stringify(event.payload) }} />;
  if (part === "raw") return <JsonView job={offloaded ? whole : { text: JSON.stringify(event) }} />;
  return (
    <div className={styles["scroll"]}>
      <Facts event={event} kind={kindOf(event)} />
      <EventText event={event} onWhole={onWhole} />
      <EditHistory event={event} />
    </div>
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
