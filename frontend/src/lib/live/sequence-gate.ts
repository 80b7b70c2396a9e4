/** Anything that has a place in a run's dense order. */
export interface Sequenced {
  seq: number;
}

/** Seqs from `from` to `to`, both included. */
export interface SeqRange {
  from: number;
  to: number;
}

/** What came of an offer: events that are now in order, and the first gap that holds others up. */
export interface Admission<T> {
  ready: T[];
  gap: SeqRange | null;
  duplicates: number;
}

/**
 * Lets events through in dense order only: 0, 1, 2 … without gap and without duplicate.
 *
 * Events beyond a gap wait here until the gap is filled, or `skipTo` gives it up.
 */
export class SequenceGate<T extends Sequenced> {
  private waiting: T[] = [];

  constructor(private next: number) {}

  /** The last seq that was let through; -1 before the first. */
  get last(): number {
    return this.next - 1;
  }

  /** How many events wait beyond a gap. */
  get held(): number {
    return this.waiting.length;
  }

  /** Offer events, from the socket or from a fetch that fills a gap, in any order. */
  offer(events: readonly T[]): Admission<T> {
    const ready: T[] = [];
    let duplicates = 0;
    for (const event of events) {
      if (event.seq === this.next) {
        ready.push(event);
        this.next += 1;
      } else if (event.seq < this.next) {
        duplicates += 1;
      } else {
        this.waiting.push(event);
      }
    }
    duplicates += this.drain(ready);
    return { ready, gap: this.gap(), duplicates };
  }

  /** Go on at `seq`: what lies before it will be loaded on demand or not at all. */
  skipTo(seq: number): Admission<T> {
    if (seq > this.next) this.next = seq;
    const ready: T[] = [];
    const duplicates = this.drain(ready);
    return { ready, gap: this.gap(), duplicates };
  }

  private gap(): SeqRange | null {
    const first = this.waiting[0];
    return first === undefined ? null : { from: this.next, to: first.seq - 1 };
  }

  private drain(ready: T[]): number {
    if (this.waiting.length === 0) return 0;
    this.waiting.sort((a, b) => a.seq - b.seq);
    let taken = 0;
    let duplicates = 0;
    let previous = -1;
    const still: T[] = [];
    for (const event of this.waiting) {
      if (event.seq < this.next || event.seq === previous) {
        duplicates += 1;
      } else if (event.seq === this.next) {
        ready.push(event);
        this.next += 1;
        taken += 1;
      } else {
        still.push(event);
      }
      previous = event.seq;
    }
    if (taken + duplicates > 0) this.waiting = still;
    return duplicates;
  }
}
