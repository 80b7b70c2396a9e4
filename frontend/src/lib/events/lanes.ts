/** A row of the timeline. */
export interface Lane {
  /** `solver`, `solver/calculator`, `supervisor`, `person:ada`. */
  name: string;
  /** What is written beside it: the tool's own name for a tool lane. */
  label: string;
  /** The lane that calls it; -1 for an actor's own. */
  parent: number;
}

/** Rank among the top lanes: actors as they come, then persons, then the supervisor. */
function rank(name: string): number {
  if (name === "supervisor") return 2;
  return name.startsWith("person:") ? 1 : 0;
}

/**
 * The lanes of a run. Numbers never change once given; the order on the screen does, when a new
 * lane appears: tool lanes stand below the agent that calls them, the supervisor is last.
 */
export class Lanes {
  private readonly numbers = new Map<string, number>();
  private readonly all: Lane[] = [];
  private shown: number[] = [];
  private rows = new Int32Array(16).fill(-1);
  /** Grows when a lane appears. */
  version = 0;

  get count(): number {
    return this.all.length;
  }

  /** Lane numbers from top to bottom. */
  get order(): readonly number[] {
    return this.shown;
  }

  /** Row of each lane number. */
  get rowOf(): Int32Array {
    return this.rows;
  }

  get(number: number): Lane | undefined {
    return this.all[number];
  }

  find(name: string): number {
    return this.numbers.get(name) ?? -1;
  }

  /** The lane's number; the lane, and the agent above a tool, are made where they are new. */
  number(name: string): number {
    return this.numbers.get(name) ?? this.add(name);
  }

  private add(name: string): number {
    const cut = name.indexOf("/");
    const parent = cut > 0 ? this.number(name.slice(0, cut)) : -1;
    const number = this.all.length;
    this.all.push({ name, label: cut > 0 ? name.slice(cut + 1) : name, parent });
    this.numbers.set(name, number);
    this.arrange();
    return number;
  }

  private arrange(): void {
    const top = this.all.flatMap((lane, number) => (lane.parent < 0 ? [number] : []));
    const rankOf = (number: number) => rank(this.all[number]?.name ?? "");
    top.sort((a, b) => rankOf(a) - rankOf(b) || a - b);
    this.shown = top.flatMap((number) => [
      number,
      ...this.all.flatMap((lane, child) => (lane.parent === number ? [child] : [])),
    ]);
    if (this.rows.length < this.all.length) this.rows = new Int32Array(this.all.length * 2).fill(-1);
    this.shown.forEach((number, row) => {
      this.rows[number] = row;
    });
    this.version += 1;
  }
}
