import type { Event } from "../../generated/events";
import { FrameBatcher, type FrameClock } from "./frames";
import type { LiveSocket, RunMessage } from "./live-socket";
import { SequenceGate, type Admission, type SeqRange } from "./sequence-gate";

/** A piece of streamed text of an open model call. */
export interface Chunk {
  span: number;
  offset: number;
  text: string;
}

/** One frame's worth of news, in order, without gap or duplicate. */
export interface FeedCommit {
  events: Event[];
  chunks: Chunk[];
  /** Ranges that were passed over: too many to fetch now, they load on demand. */
  skipped: SeqRange[];
}

export interface FeedOptions {
  socket: Pick<LiveSocket, "follow">;
  run: string;
  /** The last seq that is already there; -1 for none. */
  after: number;
  /** Fetch events with seq > after by HTTP, at most `limit`. */
  fetch: (after: number, limit: number) => Promise<Event[]>;
  commit: (news: FeedCommit) => void;
  clock?: FrameClock;
  /** Wait before a failed fetch is tried again; returns what cancels it. */
  later?: (run: () => void, milliseconds: number) => () => void;
}

/** A gap larger than this is not fetched whole. */
export const LARGEST_FILL = 5_000;
const FETCH_LIMIT = 1_000;
const RETRY_MS = 1_000;

/**
 * Follows one run: the socket's frames go through the gate, gaps are filled by HTTP, and what is
 * in order is committed once an animation frame.
 */
export class RunFeed {
  private readonly gate: SequenceGate<Event>;
  private readonly batcher: FrameBatcher<RunMessage>;
  private readonly unfollow: () => void;
  private filling: SeqRange | null = null;
  private cancelRetry: (() => void) | null = null;
  private closed = false;
  duplicates = 0;

  constructor(private readonly options: FeedOptions) {
    this.gate = new SequenceGate<Event>(options.after + 1);
    this.batcher = new FrameBatcher((messages) => this.take(messages), options.clock);
    this.unfollow = options.socket.follow(
      options.run,
      () => this.gate.last,
      (message) => this.batcher.push(message),
    );
  }

  /** The last seq that was committed or passed over. */
  get last(): number {
    return this.gate.last;
  }

  close(): void {
    this.closed = true;
    this.cancelRetry?.();
    this.unfollow();
    this.batcher.dispose();
  }

  private take(messages: RunMessage[]): void {
    const chunks: Chunk[] = [];
    const offered: Event[] = [];
    let jumped = -1;
    for (const message of messages) {
      if (message.type === "events") for (const event of message.events) offered.push(event);
      else if (message.type === "chunk") chunks.push(message);
      else if (message.type === "jump") jumped = Math.max(jumped, message.to);
    }
    const admission = this.gate.offer(offered);
    const gap = admission.gap ?? (jumped > this.gate.last ? this.missing(jumped) : null);
    this.settle(admission, gap, chunks);
  }

  private missing(to: number): SeqRange {
    return { from: this.gate.last + 1, to };
  }

  private settle(admission: Admission<Event>, gap: SeqRange | null, chunks: Chunk[]): void {
    this.duplicates += admission.duplicates;
    let events = admission.ready;
    const skipped: SeqRange[] = [];
    let open = gap;
    while (open !== null && open.to - open.from + 1 > LARGEST_FILL) {
      skipped.push(open);
      const after = this.gate.skipTo(open.to + 1);
      events = events.concat(after.ready);
      open = after.gap;
    }
    if (events.length + chunks.length + skipped.length > 0) {
      this.options.commit({ events, chunks, skipped });
    }
    if (open !== null) void this.fill(open);
  }

  private async fill(gap: SeqRange): Promise<void> {
    if (this.filling !== null) return;
    this.filling = gap;
    try {
      const limit = Math.min(FETCH_LIMIT, gap.to - gap.from + 1);
      const events = await this.options.fetch(gap.from - 1, limit);
      this.filling = null;
      if (this.closed) return;
      const admission = this.gate.offer(events);
      const still = this.gate.last < gap.to ? { from: this.gate.last + 1, to: gap.to } : null;
      if (admission.ready.length === 0 && still !== null) this.retry(still);
      else this.settle(admission, admission.gap ?? still, []);
    } catch {
      this.filling = null;
      if (!this.closed) this.retry(gap);
    }
  }

  /** The log has these events, so the fetch is only too early or the network is away. */
  private retry(gap: SeqRange): void {
    const later = this.options.later ?? defaultLater;
    this.cancelRetry?.();
    this.cancelRetry = later(() => void this.fill(gap), RETRY_MS);
  }
}

function defaultLater(run: () => void, milliseconds: number): () => void {
  const id = setTimeout(run, milliseconds);
  return () => clearTimeout(id);
}
