/**
 * Bars as columns: what the one drawing routine draws, whether they come from the event store or
 * from a tile of the server. Times are microseconds since the run's start.
 */
export interface BarSegment {
  count: number;
  start: Float64Array;
  end: Float64Array;
  /** Lane numbers; a row is looked up in `Rows`. */
  lane: Uint16Array | Uint32Array;
  severity: Uint8Array;
  family: Uint8Array;
  /** Bits of lib/events/page; null where every entry is a plain bar. */
  flags: Uint8Array | null;
  /** Whom a click on an entry means; null means `firstSeq + index`. */
  longestSeq: Uint32Array | null;
  severitySeq: Uint32Array | null;
  firstSeq: number;
}

/** A seq that is not there. */
export const ABSENT = 0xffffffff;

const MAGIC = 0x31524142;

/** What a tile says about itself. */
export interface TileHead {
  level: number;
  count: number;
  lanes: string[];
  run_start_at: number;
  last_seq: number;
  bucket_us: number;
}

/**
 * Reads `/api/runs/{id}/bars` in place. `laneNumber` gives the page's number of a lane's name.
 *
 * Throws where the bytes are no bars: a proxy's page, or a format of another version.
 */
export function readBars(buffer: ArrayBuffer, laneNumber: (name: string) => number): { head: TileHead; segment: BarSegment } {
  const ints = new DataView(buffer);
  if (buffer.byteLength < 8 || ints.getUint32(0, true) !== MAGIC) {
    throw new Error("The server's answer is no BAR1 table; reload the page to get its newer version.");
  }
  const headLength = ints.getUint32(4, true);
  const text = new TextDecoder().decode(new Uint8Array(buffer, 8, headLength));
  const head = JSON.parse(text) as TileHead;
  const { count } = head;
  let at = 8 + headLength;
  const take = (bytes: number): number => {
    const here = at;
    at += Math.ceil((bytes * count) / 8) * 8;
    return here;
  };
  const start = new Float64Array(buffer, take(8), count);
  const end = new Float64Array(buffer, take(8), count);
  const lane = new Uint32Array(buffer, take(4), count);
  take(4); // count of events: not drawn
  const severitySeq = new Uint32Array(buffer, take(4), count);
  const longestSeq = new Uint32Array(buffer, take(4), count);
  take(4); // tokens
  take(4); // cost
  const severity = new Uint8Array(buffer, take(1), count);
  const family = new Uint8Array(buffer, take(1), count);
  const numbers = head.lanes.map(laneNumber);
  for (let i = 0; i < count; i += 1) lane[i] = numbers[lane[i] as number] ?? 0;
  const segment = { count, start, end, lane, severity, family, flags: null, longestSeq, severitySeq, firstSeq: 0 };
  return { head, segment };
}

/** The seq that an entry stands for: its error where it has one, else its longest span. */
export function seqOf(segment: BarSegment, index: number): number {
  const worst = segment.severitySeq?.[index] ?? ABSENT;
  if (worst !== ABSENT && (segment.severity[index] as number) === 2) return worst;
  const longest = segment.longestSeq?.[index] ?? ABSENT;
  return longest === ABSENT ? segment.firstSeq + index : longest;
}
