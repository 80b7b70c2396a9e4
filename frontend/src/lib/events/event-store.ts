import type { Event } from "../../generated/events";
import { EventCache, weigh } from "./event-cache";
import { closesSpan, FAMILY_NUMBER, kindName, kindNumber, kindOf, laneOf, opensSpan, severityOf } from "./kinds";
import { Lanes } from "./lanes";
import { CLOSED, EventPage, KNOWN, LATE, OPENER, QUIET, PAGE_BITS, PAGE_MASK } from "./page";
import { SeqRanges } from "./seq-ranges";

/** Sums over some events. */
export interface Counters {
  errors: number;
  warnings: number;
  inputTokens: number;
  outputTokens: number;
  costUsd: number;
}

/** What the end of a span says of it. */
interface Closing {
  seq: number;
  end: number;
  severity: number;
}

const PAYLOAD_BUDGET = 48 * 1024 * 1024;

/**
 * A run's events as columns, by seq. Append-only: live events, and pages of an old run in any
 * order. Nothing is sorted, nothing is an object an event but what the bounded cache holds.
 *
 * React sees `version`, which grows once a commit.
 */
export class EventStore {
  readonly lanes = new Lanes();
  readonly known = new SeqRanges();
  readonly events: EventCache;
  /** Seqs of known errors, ascending. */
  readonly errors: number[] = [];
  /** Seqs of known `edit.applied` and of `breakpoint.hit`, ascending. */
  readonly edits: number[] = [];
  readonly hits: number[] = [];
  /** Openers whose end is not known, and which therefore may be going on. */
  readonly open = new Set<number>();
  /** UTC microseconds of the run's first event; null before it is known. */
  startAt: number | null = null;
  /** The highest seq that the log is known to have. */
  head = -1;
  /** Latest `at` seen. */
  latest = 0;
  version = 0;
  late = 0;
  /** Sums over the known events. */
  readonly totals: Counters = { errors: 0, warnings: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
  private readonly pages: (EventPage | undefined)[] = [];
  private readonly ends = new Map<number, Closing>();
  private readonly watchers = new Set<() => void>();

  constructor(budget: number = PAYLOAD_BUDGET) {
    this.events = new EventCache(budget);
  }

  readonly watch = (run: () => void): (() => void) => {
    this.watchers.add(run);
    return () => this.watchers.delete(run);
  };

  readonly snapshot = (): number => this.version;

  /** Tell the watchers; once a commit, after everything in it was added. */
  commit(): void {
    this.version += 1;
    for (const run of [...this.watchers]) run();
  }

  /** Take events in any order; the ones that are there already change nothing. */
  add(events: readonly Event[]): void {
    for (const event of events) this.addOne(event);
  }

  /** The log is known to reach to `seq`. */
  reaches(seq: number): void {
    if (seq > this.head) this.head = seq;
  }

  has(seq: number): boolean {
    return ((this.page(seq)?.flags[seq & PAGE_MASK] ?? 0) & KNOWN) !== 0;
  }

  /** The page that holds a seq, or undefined where nothing of it is known. */
  page(seq: number): EventPage | undefined {
    return seq < 0 ? undefined : this.pages[seq >> PAGE_BITS];
  }

  get pageCount(): number {
    return this.pages.length;
  }

  /** Microseconds since the run's first event; 0 where it is not known. */
  at(seq: number): number {
    return this.page(seq)?.at[seq & PAGE_MASK] ?? 0;
  }

  /** When the span that this event opens ended; `at` for others and for open ones. */
  end(seq: number): number {
    return this.page(seq)?.end[seq & PAGE_MASK] ?? 0;
  }

  kind(seq: number): string {
    return kindName(this.page(seq)?.kind[seq & PAGE_MASK] ?? 255);
  }

  lane(seq: number): number {
    return this.page(seq)?.lane[seq & PAGE_MASK] ?? 0;
  }

  severity(seq: number): number {
    return this.page(seq)?.severity[seq & PAGE_MASK] ?? 0;
  }

  /** Seq of the opener of the span it belongs to; -1 for none. */
  span(seq: number): number {
    return this.page(seq)?.span[seq & PAGE_MASK] ?? -1;
  }

  parent(seq: number): number {
    return this.page(seq)?.parent[seq & PAGE_MASK] ?? -1;
  }

  /** The last event it answers; -1 for none. */
  cause(seq: number): number {
    return this.page(seq)?.cause[seq & PAGE_MASK] ?? -1;
  }

  /** The event that ended the span which `seq` opened; -1 for none. */
  closer(seq: number): number {
    return this.page(seq)?.closer[seq & PAGE_MASK] ?? -1;
  }

  flags(seq: number): number {
    return this.page(seq)?.flags[seq & PAGE_MASK] ?? 0;
  }

  /** The last known event at or before a time, microseconds since the start; null where all is later. */
  seqAt(us: number): number | null {
    let low = 0;
    let high = this.known.last;
    let found: number | null = null;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const near = this.known.atOrBefore(middle);
      if (near < low) low = middle + 1;
      else if (this.at(near) <= us) {
        found = near;
        low = middle + 1;
      } else high = near - 1;
    }
    return found;
  }

  /** Whether a span that began at `seq` goes on: its end is not there, and nothing is missing since. */
  isOpen(seq: number): boolean {
    return this.open.has(seq) && seq >= this.openFrom;
  }

  /** From here on nothing is missing: only of spans that begin here is it known that they go on. */
  get openFrom(): number {
    return this.known.last === this.head ? this.known.tailStart : Infinity;
  }

  private addOne(event: Event): void {
    const { seq } = event;
    const number = seq >> PAGE_BITS;
    const page = (this.pages[number] ??= new EventPage());
    const i = seq & PAGE_MASK;
    this.events.put(event, weigh(event));
    if (((page.flags[i] as number) & KNOWN) !== 0) return;
    const at = event.at - this.origin(event);
    const kind = kindOf(event);
    const severity = severityOf(event);
    const late = seq < this.known.last;
    page.at[i] = at;
    page.end[i] = at;
    page.kind[i] = kindNumber(kind);
    page.family[i] = FAMILY_NUMBER[page.kind[i] as number] as number;
    page.lane[i] = this.lanes.number(laneOf(event));
    page.severity[i] = severity;
    page.outcome[i] = severity;
    page.span[i] = event.span ?? -1;
    page.parent[i] = event.parent ?? -1;
    page.cause[i] = event.caused_by?.at(-1) ?? -1;
    page.tokens[i] = tokensOf(event);
    page.flags[i] = KNOWN | (late ? LATE : 0);
    if (late) this.late += 1;
    count(event, severity, this.totals);
    this.known.add(seq);
    this.reaches(seq);
    if (at > this.latest) this.latest = at;
    if (severity === 2) insertAscending(this.errors, seq);
    if (kind === "edit.applied") insertAscending(this.edits, seq);
    else if (kind === "breakpoint.hit") insertAscending(this.hits, seq);
    if (opensSpan(kind)) this.openSpan(page, i, seq);
    else if (closesSpan(event)) {
      if (severity === 0) page.flags[i] = (page.flags[i] as number) | QUIET;
      this.closeSpan(event.span as number, { seq, end: at, severity });
    }
  }

  /** When the run began. A part of a run can be placed in time only once its first event is known. */
  private origin(event: Event): number {
    if (this.startAt === null) {
      if (event.seq !== 0) throw new Error(`seq ${String(event.seq)} came before seq 0 was known`);
      this.startAt = event.at;
    }
    return this.startAt;
  }

  private openSpan(page: EventPage, i: number, seq: number): void {
    page.flags[i] = (page.flags[i] as number) | OPENER;
    const ended = this.ends.get(seq);
    if (ended === undefined) {
      this.open.add(seq);
      return;
    }
    this.ends.delete(seq);
    this.setEnd(page, i, ended);
  }

  private closeSpan(opener: number, closing: Closing): void {
    const page = this.page(opener);
    const i = opener & PAGE_MASK;
    if (page === undefined || ((page.flags[i] as number) & KNOWN) === 0) {
      this.ends.set(opener, closing);
      return;
    }
    this.setEnd(page, i, closing);
    this.open.delete(opener);
  }

  private setEnd(page: EventPage, i: number, { seq, end, severity }: Closing): void {
    page.closer[i] = seq;
    page.end[i] = Math.max(page.at[i] as number, end);
    page.flags[i] = (page.flags[i] as number) | CLOSED;
    if (severity > (page.outcome[i] as number)) page.outcome[i] = severity;
  }
}

function tokensOf(event: Event): number {
  const payload = event.payload;
  if (payload.kind !== "llm.responded") return 0;
  return (payload.input_tokens ?? 0) + (payload.output_tokens ?? 0);
}

function insertAscending(list: number[], seq: number): void {
  let i = list.length;
  while (i > 0 && (list[i - 1] as number) > seq) i -= 1;
  if (list[i - 1] !== seq) list.splice(i, 0, seq);
}

function count(event: Event, severity: number, into: Counters): void {
  if (severity === 2) into.errors += 1;
  else if (severity === 1) into.warnings += 1;
  if (event.payload.kind !== "llm.responded") return;
  into.inputTokens += event.payload.input_tokens ?? 0;
  into.outputTokens += event.payload.output_tokens ?? 0;
  into.costUsd += event.payload.cost_usd ?? 0;
}
