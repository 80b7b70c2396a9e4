/** How a batcher waits: for the next animation frame, or in a test until it is told. */
export interface FrameClock {
  request(run: () => void): () => void;
}

const HIDDEN_MS = 250;

/** The next animation frame; in a hidden tab, which has none, a quarter of a second. */
export const animationFrames: FrameClock = {
  request(run) {
    if (typeof document !== "undefined" && document.visibilityState === "visible") {
      const id = requestAnimationFrame(run);
      return () => cancelAnimationFrame(id);
    }
    const id = setTimeout(run, HIDDEN_MS);
    return () => clearTimeout(id);
  },
};

/**
 * Gathers items and commits them once per animation frame, however many arrive.
 *
 * A flood of frames then costs the page one fold and one draw each 16 ms.
 */
export class FrameBatcher<T> {
  private items: T[] = [];
  private cancel: (() => void) | null = null;

  constructor(
    private readonly commit: (items: T[]) => void,
    private readonly clock: FrameClock = animationFrames,
  ) {}

  push(item: T): void {
    this.items.push(item);
    this.cancel ??= this.clock.request(() => this.flush());
  }

  /** Commit now what has been gathered. */
  flush(): void {
    this.cancel?.();
    this.cancel = null;
    if (this.items.length === 0) return;
    const items = this.items;
    this.items = [];
    this.commit(items);
  }

  /** Forget what has been gathered and commit nothing more. */
  dispose(): void {
    this.cancel?.();
    this.cancel = null;
    this.items = [];
  }
}
