import type { Event } from "../../generated/events";

/**
 * Whole events by seq, within a budget of bytes: the least recently used go first.
 *
 * The columns stay when an event goes; it is fetched again when something needs its payload.
 */
export class EventCache {
  private readonly held = new Map<number, { event: Event; bytes: number }>();
  private total = 0;

  constructor(private readonly budget: number) {}

  get bytes(): number {
    return this.total;
  }

  get size(): number {
    return this.held.size;
  }

  put(event: Event, bytes: number): void {
    const before = this.held.get(event.seq);
    if (before !== undefined) {
      this.total -= before.bytes;
      this.held.delete(event.seq);
    }
    this.held.set(event.seq, { event, bytes });
    this.total += bytes;
    for (const [seq, old] of this.held) {
      if (this.total <= this.budget || this.held.size === 1) break;
      this.held.delete(seq);
      this.total -= old.bytes;
    }
  }

  /** The event, which then counts as just used. */
  get(seq: number): Event | undefined {
    const found = this.held.get(seq);
    if (found === undefined) return undefined;
    this.held.delete(seq);
    this.held.set(seq, found);
    return found.event;
  }

  /** The event, without counting as a use: for drawing, which looks at everything. */
  peek(seq: number): Event | undefined {
    return this.held.get(seq)?.event;
  }

  has(seq: number): boolean {
    return this.held.has(seq);
  }
}

const FIXED = 200;

/** About how many bytes an event holds in memory. Looks two levels deep: enough for a budget. */
export function weigh(event: Event): number {
  return FIXED + weighValue(event.payload, 2);
}

function weighValue(value: unknown, depth: number): number {
  if (typeof value === "string") return 2 * value.length + 16;
  if (typeof value !== "object" || value === null) return 8;
  if (depth === 0) return 256;
  let sum = 32;
  for (const inner of Object.values(value)) sum += weighValue(inner, depth - 1);
  return sum;
}
