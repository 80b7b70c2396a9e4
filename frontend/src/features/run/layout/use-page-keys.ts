import { useHotkeys } from "@/lib/hotkeys";

import { filters, matcher } from "../model/filter";
import { select } from "../model/page-state";
import { useRunPlace } from "../model/run-context";
import { step, stepError, stepLane } from "../model/step";
import { stepRow, type TranscriptRow } from "../transcript/transcript-index";
import { FIND_FIELD } from "./filter-bar";

/** The keys with which one walks through a run. */
export function usePageKeys(rows: readonly TranscriptRow[]): void {
  const { session, page, live, narrow } = useRunPlace();
  const { store } = session;
  const go = (seq: number | null) => {
    if (seq === null) return;
    session.ensure(seq, seq);
    select(page, seq);
  };
  const stepEvent = (by: 1 | -1) => {
    const { seq, view, lane, kind } = page.getState();
    if (view === "transcript") go(stepRow(rows, seq, by));
    else if (filters({ lane, kind })) go(step(store, seq, by, matcher(store, { lane, kind })));
    else if (store.head >= 0) go(Math.min(store.head, Math.max(0, (seq ?? (by === 1 ? -1 : store.head + 1)) + by)));
  };
  const seq = () => page.getState().seq;
  const isMessage = (at: number) => store.has(at) && store.kind(at) === "message.sent";
  const first = () => go(store.head < 0 ? null : 0);
  const last = () => go(store.head < 0 ? null : store.head);
  const group = "trace.keys.walk";
  useHotkeys([
    { keys: "j", label: "trace.keys.next", group, run: () => stepEvent(1) },
    { keys: "k", label: "trace.keys.previous", group, run: () => stepEvent(-1) },
    { keys: "h", label: "trace.keys.agent_above", group, run: () => go(stepLane(store, seq(), -1)) },
    { keys: "l", label: "trace.keys.agent_below", group, run: () => go(stepLane(store, seq(), 1)) },
    { keys: "n", label: "trace.keys.next_error", group, run: () => go(stepError(store, seq(), 1)) },
    { keys: "p", label: "trace.keys.previous_error", group, run: () => go(stepError(store, seq(), -1)) },
    { keys: "]", label: "trace.keys.next_message", group, run: () => go(step(store, seq(), 1, isMessage)) },
    { keys: "[", label: "trace.keys.previous_message", group, run: () => go(step(store, seq(), -1, isMessage)) },
    { keys: "home", label: "trace.keys.first", group, run: first },
    { keys: "end", label: "trace.keys.last", group, run: last },
    { keys: "/", label: "trace.keys.find", group, run: () => document.getElementById(FIND_FIELD)?.focus() },
    { keys: "v", label: "trace.keys.view", group, run: () => page.setState(({ view }) => ({ view: view === "events" ? "transcript" : "events" })) },
    { keys: "escape", label: "trace.keys.unselect", group, run: () => select(page, null) },
  ], !narrow);
  useHotkeys([{ keys: "shift+f", label: "trace.keys.follow", group, run: () => page.setState(({ follow }) => ({ follow: !follow })) }], live && !narrow);
}
