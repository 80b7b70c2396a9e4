import type { Chunk } from "@/lib/live";

/** The text of an open model call so far. */
export interface Stream {
  text: string;
  /** Some of it was lost on the way; the whole arrives with the answer. */
  torn: boolean;
}

/** Streamed text by span. A chunk may be lost or come twice: its offset says where it belongs. */
export class Streams {
  private readonly held = new Map<number, Stream>();
  private readonly watchers = new Set<() => void>();

  readonly watch = (run: () => void): (() => void) => {
    this.watchers.add(run);
    return () => this.watchers.delete(run);
  };

  get(span: number): Stream | undefined {
    return this.held.get(span);
  }

  take(chunks: readonly Chunk[]): void {
    for (const { span, offset, text } of chunks) {
      const before = this.held.get(span) ?? { text: "", torn: false };
      const here = before.text.length;
      if (offset <= here) {
        const end = offset + text.length;
        if (end > here) this.held.set(span, { ...before, text: before.text.slice(0, offset) + text });
      } else {
        this.held.set(span, { text: `${before.text} … `.padEnd(offset, " ").slice(0, offset) + text, torn: true });
      }
    }
    if (chunks.length > 0) this.tell();
  }

  /** The span ended: its answer is in the log. */
  drop(span: number): void {
    if (this.held.delete(span)) this.tell();
  }

  private tell(): void {
    for (const run of [...this.watchers]) run();
  }
}
