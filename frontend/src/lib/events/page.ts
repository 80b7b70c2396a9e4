/** Events of one page: 4,096 seqs side by side, made only where something is known. */
export const PAGE_BITS = 12;
export const PAGE_SIZE = 1 << PAGE_BITS;
export const PAGE_MASK = PAGE_SIZE - 1;

/** Bits of `flags`. */
export const KNOWN = 1;
/** It came later than a newer one: by a fetch that filled a gap. */
export const LATE = 2;
export const OPENER = 4;
export const CLOSED = 8;
/** It only ends a span, and says nothing that the span's bar does not say. */
export const QUIET = 16;

export class EventPage {
  /** Microseconds since the run's first event. */
  readonly at = new Float64Array(PAGE_SIZE);
  /** Of an opener: when its span ended; else `at`. */
  readonly end = new Float64Array(PAGE_SIZE);
  readonly kind = new Uint8Array(PAGE_SIZE);
  readonly family = new Uint8Array(PAGE_SIZE);
  readonly lane = new Uint16Array(PAGE_SIZE);
  readonly severity = new Uint8Array(PAGE_SIZE);
  /** Of an opener: the severity with which its span ended. */
  readonly outcome = new Uint8Array(PAGE_SIZE);
  readonly span = new Int32Array(PAGE_SIZE);
  readonly parent = new Int32Array(PAGE_SIZE);
  /** The last of `caused_by`; -1 for none. */
  readonly cause = new Int32Array(PAGE_SIZE);
  /** Of an opener: the event that ended its span; -1 while none is known. */
  readonly closer = new Int32Array(PAGE_SIZE).fill(-1);
  readonly flags = new Uint8Array(PAGE_SIZE);
  readonly tokens = new Uint32Array(PAGE_SIZE);
}
