/** Which seqs are known, as sorted ranges that do not touch. Appending at the end costs nothing. */
export class SeqRanges {
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private known = 0;

  /** How many seqs are known. */
  get size(): number {
    return this.known;
  }

  /** The highest known seq; -1 for none. */
  get last(): number {
    return this.ends[this.ends.length - 1] ?? -1;
  }

  add(from: number, to: number = from): void {
    const { starts, ends } = this;
    const lastEnd = this.last;
    if (from === lastEnd + 1 && ends.length > 0) {
      ends[ends.length - 1] = to;
      this.known += to - from + 1;
      return;
    }
    let low = this.firstEndingAtOrAfter(from - 1);
    const first = low;
    let start = from;
    let end = to;
    let covered = 0;
    while (low < starts.length && (starts[low] as number) <= to + 1) {
      const s = starts[low] as number;
      const e = ends[low] as number;
      covered += e - s + 1;
      start = Math.min(start, s);
      end = Math.max(end, e);
      low += 1;
    }
    starts.splice(first, low - first, start);
    ends.splice(first, low - first, end);
    this.known += end - start + 1 - covered;
  }

  has(seq: number): boolean {
    const index = this.firstEndingAtOrAfter(seq);
    return index < this.starts.length && (this.starts[index] as number) <= seq;
  }

  /** The highest known seq that is not above `seq`; -1 for none. */
  atOrBefore(seq: number): number {
    const index = this.firstEndingAtOrAfter(seq);
    if (index < this.starts.length && (this.starts[index] as number) <= seq) return seq;
    return this.ends[index - 1] ?? -1;
  }

  /** Whether every seq from `from` to `to` is known. */
  covers(from: number, to: number): boolean {
    if (to < from) return true;
    const index = this.firstEndingAtOrAfter(from);
    return (
      index < this.starts.length &&
      (this.starts[index] as number) <= from &&
      (this.ends[index] as number) >= to
    );
  }

  /** The ranges between `from` and `to` that are not known, in order. */
  missing(from: number, to: number): { from: number; to: number }[] {
    const gaps: { from: number; to: number }[] = [];
    let at = from;
    for (let i = this.firstEndingAtOrAfter(from); i < this.starts.length && at <= to; i += 1) {
      const start = this.starts[i] as number;
      if (start > to) break;
      if (start > at) gaps.push({ from: at, to: start - 1 });
      at = Math.max(at, (this.ends[i] as number) + 1);
    }
    if (at <= to) gaps.push({ from: at, to });
    return gaps;
  }

  /** The first seq of the known range that ends at the last known seq; 0 for none. */
  get tailStart(): number {
    return this.starts[this.starts.length - 1] ?? 0;
  }

  private firstEndingAtOrAfter(seq: number): number {
    let low = 0;
    let high = this.ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.ends[middle] as number) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
