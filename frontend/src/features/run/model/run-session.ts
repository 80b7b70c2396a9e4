import type { Event } from "@/generated/events";
import { EventStore, type Counters } from "@/lib/events/event-store";
import { kindOf } from "@/lib/events/kinds";
import { RunFeed, type FeedCommit, type LiveSocket } from "@/lib/live";
import type { Run } from "@/lib/api/types";

import type { EventPageAnswer, EventQuery } from "../api/run-api";
import { Streams } from "./streams";

/** Runs up to this many events are loaded whole; of larger ones what is looked at. */
export const WHOLE = 20_000;
const PAGE = 1_000;
const CHUNK = 512;
const MOST_ERRORS = 5_000;
const TAIL = 1_000;

/** How a session reaches the server. */
export interface SessionApi {
  events: (query: EventQuery, signal: AbortSignal) => Promise<EventPageAnswer>;
}

export interface SessionOptions {
  api: SessionApi;
  socket: Pick<LiveSocket, "follow">;
  /** Something about the run itself changed: its row should be asked for again. */
  onRunChanged: () => void;
}

export type Loading = { state: "loading" | "ready" } | { state: "failed"; error: unknown };

/**
 * One run on the page: its store, its live feed, and what is loaded when.
 *
 * A small run is loaded whole and then followed. Of a large one come the start, the errors and the
 * tail; the rest follows where somebody looks (`ensure`), and the timeline draws tiles.
 */
export class RunSession {
  readonly store = new EventStore();
  readonly streams = new Streams();
  loading: Loading = { state: "loading" };
  /** Seqs that the server passed over because this page was too slow. */
  jumps: { from: number; to: number }[] = [];
  private feed: RunFeed | null = null;
  private readonly controller = new AbortController();
  private readonly asked = new Set<number>();
  /** How much this browser's clock is ahead, microseconds, the journey of the news included. */
  private skew = 0;
  private skewKnown = false;

  constructor(
    readonly runId: string,
    private readonly options: SessionOptions,
  ) {}

  /** Whether every event of the log is in the store. */
  get complete(): boolean {
    return this.store.known.size === this.store.head + 1;
  }

  /** Whether the run is small enough to be held whole. */
  whole = true;

  async start(run: Run): Promise<void> {
    this.store.reaches(run.last_seq);
    this.whole = run.last_seq < WHOLE;
    try {
      if (run.last_seq >= 0) await (this.whole ? this.loadAll(run.last_seq) : this.loadParts(run.last_seq));
      this.loading = { state: "ready" };
    } catch (error) {
      if (this.controller.signal.aborted) return;
      this.loading = { state: "failed", error };
      this.store.commit();
      return;
    }
    if (this.controller.signal.aborted) return;
    this.follow();
    this.store.commit();
  }

  /** Counts of the whole run: the store's own, or the row's where more is in it. */
  counters(run: Run): Counters & { events: number } {
    const own = this.store.totals;
    return {
      events: Math.max(run.last_seq, this.store.head) + 1,
      errors: Math.max(run.errors, own.errors),
      warnings: Math.max(run.warnings, own.warnings),
      inputTokens: Math.max(run.input_tokens, own.inputTokens),
      outputTokens: Math.max(run.output_tokens, own.outputTokens),
      costUsd: Math.max(run.cost_usd, own.costUsd),
    };
  }

  /**
   * Microseconds since the run's start, by the clock of whoever writes the log. A browser's clock
   * may be wrong, so it is corrected by the events as they arrive.
   */
  now(clientUs: number = Date.now() * 1000): number {
    const { startAt, latest } = this.store;
    return startAt === null ? 0 : Math.max(latest, clientUs - this.skew - startAt);
  }

  /** Fetch what is missing of `from`…`to`, payloads that were dropped included. */
  ensure(from: number, to: number): void {
    const first = Math.max(0, from) - (Math.max(0, from) % CHUNK);
    const last = Math.min(to, this.store.head);
    for (let start = first; start <= last; start += CHUNK) {
      if (!this.asked.has(start) && this.lacks(Math.max(start, from), Math.min(start + CHUNK - 1, last))) {
        void this.fetchChunk(start);
      }
    }
  }

  /** Bring in events that match, from anywhere in the run; whether that were all. */
  async query(filter: { kinds?: string; actors?: string }, most: number): Promise<boolean> {
    let after = -1;
    for (let got = 0; got < most; got += PAGE) {
      const { events } = await this.fetch({ after, limit: PAGE, ...filter });
      this.take(events);
      this.store.commit();
      if (events.length < PAGE) return true;
      after = events[events.length - 1]?.seq ?? after;
    }
    return false;
  }

  dispose(): void {
    this.controller.abort();
    this.feed?.close();
  }

  private lacks(from: number, to: number): boolean {
    for (let seq = from; seq <= to; seq += 1) if (!this.store.events.has(seq)) return true;
    return false;
  }

  private fetch(query: EventQuery): Promise<EventPageAnswer> {
    return this.options.api.events(query, this.controller.signal);
  }

  private take(events: readonly Event[]): void {
    this.store.add(events);
  }

  private async fetchChunk(start: number): Promise<void> {
    this.asked.add(start);
    try {
      const { events } = await this.fetch({ after: start - 1, limit: CHUNK });
      this.take(events);
      this.store.commit();
    } catch {
      // Asked again when somebody looks there again; the ribbon shows it as not loaded.
    } finally {
      this.asked.delete(start);
    }
  }

  private async loadAll(lastSeq: number): Promise<void> {
    for (let after = -1; after < lastSeq; ) {
      const { events, last_seq } = await this.fetch({ after, limit: PAGE });
      const last = events[events.length - 1];
      if (last === undefined) return;
      this.take(events);
      this.store.reaches(last_seq);
      this.store.commit();
      after = last.seq;
    }
  }

  private async loadParts(lastSeq: number): Promise<void> {
    const start = await this.fetch({ after: -1, limit: 200 });
    this.take(start.events);
    this.store.reaches(start.last_seq);
    this.store.commit();
    const tail = await this.fetch({ after: Math.max(lastSeq, start.last_seq) - TAIL, limit: TAIL });
    this.take(tail.events);
    this.store.commit();
    void this.loadErrors();
  }

  /** Every error of a large run, so that none is hidden by what is not loaded. */
  private async loadErrors(): Promise<void> {
    let after = -1;
    try {
      while (this.store.errors.length < MOST_ERRORS) {
        const { events } = await this.fetch({ after, limit: PAGE, min_severity: 2 });
        this.take(events);
        this.store.commit();
        const last = events[events.length - 1];
        if (last === undefined || events.length < PAGE) return;
        after = last.seq;
      }
    } catch {
      // The run's row has their number, and the tiles their marks.
    }
  }

  private follow(): void {
    this.feed = new RunFeed({
      socket: this.options.socket,
      run: this.runId,
      after: this.store.known.last,
      fetch: async (after, limit) => (await this.fetch({ after, limit })).events,
      commit: (news) => this.onNews(news),
    });
  }

  private onNews({ events, chunks, skipped }: FeedCommit): void {
    this.take(events);
    this.measureSkew(events.at(-1));
    for (const event of events) {
      if (typeof event.span === "number") this.endStream(event, event.span);
    }
    this.streams.take(chunks.filter(({ span }) => !this.store.has(span) || this.store.isOpen(span)));
    for (const range of skipped) {
      this.jumps.push(range);
      this.store.reaches(range.to);
    }
    this.store.commit();
    if (events.some((event) => kindOf(event).startsWith("run."))) {
      this.options.onRunChanged();
    }
  }

  private measureSkew(event: Event | undefined): void {
    if (event === undefined) return;
    const ahead = Date.now() * 1000 - event.at;
    this.skew = this.skewKnown ? Math.min(this.skew, ahead) : ahead;
    this.skewKnown = true;
  }

  private endStream(event: Event, span: number): void {
    if (!this.store.isOpen(span) || kindOf(event) === "llm.responded") this.streams.drop(span);
  }
}
