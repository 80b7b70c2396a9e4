/**
 * An index of JSON in UTF-8: which bytes of it stand on which line when it is written out nicely.
 *
 * Nothing is parsed into objects and nothing decoded but the lines that are seen: a line is two
 * offsets and a depth, about 14 bytes, so 20 MB of JSON cost 20 MB and an index, and go from a
 * worker to the page without being copied.
 */
export interface JsonLines {
  count: number;
  start: Uint32Array;
  end: Uint32Array;
  depth: Uint16Array;
  /** Of a line that opens an object or array: the line that closes it; else 0. */
  closes: Uint32Array;
}

/** Longer strings are cut into lines of about this many bytes. */
export const WIDEST = 200;

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

class Builder {
  count = 0;
  start = new Uint32Array(1024);
  end = new Uint32Array(1024);
  depth = new Uint16Array(1024);
  closes = new Uint32Array(1024);

  add(from: number, to: number, depth: number): number {
    if (this.count === this.start.length) this.grow();
    const line = this.count;
    this.start[line] = from;
    this.end[line] = to;
    this.depth[line] = depth;
    this.count += 1;
    return line;
  }

  finish(): JsonLines {
    const { count } = this;
    return {
      count,
      start: this.start.slice(0, count),
      end: this.end.slice(0, count),
      depth: this.depth.slice(0, count),
      closes: this.closes.slice(0, count),
    };
  }

  private grow(): void {
    const size = this.start.length * 2;
    const larger = <T extends Uint32Array | Uint16Array>(made: T, old: T): T => {
      made.set(old);
      return made;
    };
    this.start = larger(new Uint32Array(size), this.start);
    this.end = larger(new Uint32Array(size), this.end);
    this.depth = larger(new Uint16Array(size), this.depth);
    this.closes = larger(new Uint32Array(size), this.closes);
  }
}

/** Indexes JSON. Bytes that are no JSON come out as lines all the same: nothing is refused. */
export function indexJson(text: Uint8Array): JsonLines {
  const lines = new Builder();
  const openLines: number[] = [];
  let depth = 0;
  let from = -1;
  const length = text.length;

  const flush = (to: number): void => {
    if (from < 0) return;
    let end = to;
    while (end > from && isSpace(text[end - 1])) end -= 1;
    if (end > from) split(lines, text, from, end, depth);
    from = -1;
  };

  for (let i = 0; i < length; ) {
    const code = text[i] as number;
    if (isSpace(code)) {
      i += 1;
    } else if (code === QUOTE) {
      if (from < 0) from = i;
      i = endOfString(text, i);
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (from < 0) from = i;
      const close = skipSpace(text, i + 1);
      if (text[close] === code + 2) {
        i = close + 1;
      } else {
        openLines.push(lines.count);
        lines.add(from, i + 1, depth);
        from = -1;
        depth += 1;
        i += 1;
      }
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      flush(i);
      depth = Math.max(0, depth - 1);
      const comma = skipSpace(text, i + 1);
      const end = text[comma] === COMMA ? comma + 1 : i + 1;
      const opened = openLines.pop();
      const line = lines.add(i, end, depth);
      if (opened !== undefined) lines.closes[opened] = line;
      i = end;
    } else if (code === COMMA) {
      flush(i + 1);
      i += 1;
    } else {
      if (from < 0) from = i;
      i += 1;
    }
  }
  flush(length);
  return lines.finish();
}

/** A line, or several where it is too wide to be one. */
function split(lines: Builder, text: Uint8Array, from: number, to: number, depth: number): void {
  for (let at = from; at < to; ) {
    // A rest of a few bytes stays with the line before; no character is cut in two.
    let end = to - at < WIDEST * 1.25 ? to : at + WIDEST;
    while (end < to && ((text[end] as number) & 0xc0) === 0x80) end += 1;
    lines.add(at, end, at === from ? depth : depth + 1);
    at = end;
  }
}

function isSpace(code: number | undefined): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

function skipSpace(text: Uint8Array, at: number): number {
  let i = at;
  while (isSpace(text[i])) i += 1;
  return i;
}

/** One past the closing quote; the end of the text where there is none. */
function endOfString(text: Uint8Array, at: number): number {
  let i = at + 1;
  for (;;) {
    i = text.indexOf(QUOTE, i);
    if (i < 0) return text.length;
    let backslashes = 0;
    while (text[i - 1 - backslashes] === BACKSLASH) backslashes += 1;
    i += 1;
    if (backslashes % 2 === 0) return i;
  }
}

/** Lines that are seen while some are folded. A folded line stands for all up to its closing one. */
export function visibleLines(lines: JsonLines, folded: ReadonlySet<number>): Uint32Array | null {
  if (folded.size === 0) return null;
  const seen = new Uint32Array(lines.count);
  let length = 0;
  for (let line = 0; line < lines.count; line += 1) {
    seen[length] = line;
    length += 1;
    const close = lines.closes[line] as number;
    if (close > 0 && folded.has(line)) line = close;
  }
  return seen.subarray(0, length);
}

const decoder = new TextDecoder();

/** The text of some bytes. */
export function decode(text: Uint8Array, from: number, to: number): string {
  return decoder.decode(text.subarray(from, to));
}

/** Where `wanted` stands at or after `from`; -1 for nowhere. Native search for its first byte. */
export function findBytes(text: Uint8Array, wanted: Uint8Array, from: number): number {
  const first = wanted[0];
  if (first === undefined) return -1;
  for (let at = text.indexOf(first, from); at >= 0; at = text.indexOf(first, at + 1)) {
    let same = 1;
    while (same < wanted.length && text[at + same] === wanted[same]) same += 1;
    if (same === wanted.length) return at;
  }
  return -1;
}
