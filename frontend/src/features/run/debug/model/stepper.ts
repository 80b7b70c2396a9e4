import type { EventStore } from "@/lib/events/event-store";

import { filters, matcher } from "../../model/filter";
import { select, type PageStore } from "../../model/page-state";
import type { RunSession } from "../../model/run-session";
import { step, stepError } from "../../model/step";
import { stepRow, transcriptRows } from "../../transcript/transcript-index";

/** Moves the playhead, which is the page's selection: as the keys do, for buttons and playing. */
export class Stepper {
  constructor(
    private readonly session: RunSession,
    private readonly page: PageStore,
  ) {}

  get seq(): number | null {
    return this.page.getState().seq;
  }

  /** Select an event, and load what it stands in. */
  go(seq: number | null): void {
    if (seq === null || seq < 0) return;
    this.session.ensure(seq, seq);
    select(this.page, seq);
  }

  first(): void {
    this.go(this.store.head < 0 ? null : 0);
  }

  last(): void {
    this.go(this.store.head < 0 ? null : this.store.head);
  }

  /** One row of what is shown onwards or back; null at the end. */
  neighbour(by: 1 | -1): number | null {
    const { seq, view, lane, kind } = this.page.getState();
    const filter = { lane, kind };
    if (view === "transcript") return stepRow(transcriptRows(this.store, filter, seq), seq, by);
    if (filters(filter)) return step(this.store, seq, by, matcher(this.store, filter));
    const next = (seq ?? (by === 1 ? -1 : this.store.head + 1)) + by;
    return next < 0 || next > this.store.head ? null : next;
  }

  error(by: 1 | -1): void {
    this.go(stepError(this.store, this.seq, by));
  }

  message(by: 1 | -1): void {
    this.go(step(this.store, this.seq, by, (at) => this.store.kind(at) === "message.sent"));
  }

  /** The next event of the agent at the playhead, its tools' included. */
  ofAgent(by: 1 | -1): void {
    this.go(stepOfAgent(this.store, this.seq, by));
  }

  private get store(): EventStore {
    return this.session.store;
  }
}

/** The nearest event after (1) or before (-1) `seq` of the same agent or its tools; null for none. */
export function stepOfAgent(store: EventStore, seq: number | null, by: 1 | -1): number | null {
  if (seq === null || !store.has(seq)) return step(store, seq, by, (at) => store.has(at));
  const agent = agentOf(store, seq);
  return step(store, seq, by, (at) => store.has(at) && agentOf(store, at) === agent);
}

function agentOf(store: EventStore, seq: number): number {
  const lane = store.lane(seq);
  const parent = store.lanes.get(lane)?.parent ?? -1;
  return parent < 0 ? lane : parent;
}
