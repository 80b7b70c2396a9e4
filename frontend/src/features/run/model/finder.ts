import type { EventStore } from "@/lib/events/event-store";

import { searchable } from "./summary";

const SLICE = 1_500;

/** What a search found so far. */
export interface Found {
  matches: readonly number[];
  /** Events that were looked at, and those whose text is not loaded. */
  searched: number;
  unloaded: number;
  done: boolean;
}

const NOTHING: Found = { matches: [], searched: 0, unloaded: 0, done: true };

/** Looks for text in the events that are loaded, in slices, and goes on as new ones come. */
export class Finder {
  private text = "";
  private next = 0;
  private matches: number[] = [];
  private unloaded = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private result: Found = NOTHING;
  private readonly watchers = new Set<() => void>();

  constructor(private readonly store: EventStore) {}

  readonly watch = (run: () => void): (() => void) => {
    this.watchers.add(run);
    const stop = this.store.watch(() => this.schedule());
    return () => {
      this.watchers.delete(run);
      stop();
      if (this.timer !== null) clearTimeout(this.timer);
      this.timer = null;
    };
  };

  readonly snapshot = (): Found => this.result;

  /** Look for other text. */
  find(text: string): void {
    const wanted = text.trim().toLowerCase();
    if (wanted === this.text) return;
    this.text = wanted;
    this.next = 0;
    this.matches = [];
    this.unloaded = 0;
    this.tell(wanted === "");
    this.schedule();
  }

  private schedule(): void {
    if (this.text === "" || this.timer !== null || this.next > this.store.known.last) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.slice();
    }, 0);
  }

  private slice(): void {
    const last = Math.min(this.store.known.last, this.next + SLICE - 1);
    for (let seq = this.next; seq <= last; seq += 1) {
      const event = this.store.events.peek(seq);
      if (event === undefined) this.unloaded += 1;
      else if (searchable(event).includes(this.text)) this.matches.push(seq);
    }
    this.next = last + 1;
    this.tell(this.next > this.store.known.last);
    this.schedule();
  }

  private tell(done: boolean): void {
    this.result =
      this.text === ""
        ? NOTHING
        : { matches: [...this.matches], searched: this.next - this.unloaded, unloaded: this.unloaded, done };
    for (const run of [...this.watchers]) run();
  }
}

/** The match after (`by` 1) or before (`by` -1) a seq; starts over at the end. */
export function stepMatch(matches: readonly number[], seq: number | null, by: 1 | -1): number | null {
  if (matches.length === 0) return null;
  if (by === 1) return matches.find((match) => match > (seq ?? -1)) ?? matches[0] ?? null;
  return matches.findLast((match) => match < (seq ?? Infinity)) ?? matches.at(-1) ?? null;
}
