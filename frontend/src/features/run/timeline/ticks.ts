/** Marks of a ruler: where they stand and how far apart, in microseconds. */
export interface Ticks {
  step: number;
  /** Small marks between two large ones. */
  parts: number;
  at: number[];
}

const SECOND = 1e6;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Steps of a clock above a second, with how they are best divided. */
const CLOCK: readonly [number, number][] = [
  [SECOND, 5], [2 * SECOND, 4], [5 * SECOND, 5], [10 * SECOND, 5], [15 * SECOND, 3], [30 * SECOND, 3],
  [MINUTE, 6], [2 * MINUTE, 4], [5 * MINUTE, 5], [10 * MINUTE, 5], [15 * MINUTE, 3], [30 * MINUTE, 3],
  [HOUR, 6], [2 * HOUR, 4], [3 * HOUR, 3], [6 * HOUR, 6], [12 * HOUR, 4], [DAY, 4],
];

/** The smallest step that a person counts in, at least `least` microseconds long. */
export function niceStep(least: number): [number, number] {
  if (least <= SECOND / 2) {
    const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
    for (const [times, parts] of [[1, 5], [2, 4], [5, 5], [10, 5]] as const) {
      if (times * power >= least) return [times * power, parts];
    }
  }
  return CLOCK.find(([step]) => step >= least) ?? [Math.ceil(least / DAY) * DAY, 4];
}

/** Marks for a view drawn `pixels` wide, at least `apart` pixels between two labels. */
export function ticks(t0: number, t1: number, pixels: number, apart = 96): Ticks {
  if (pixels <= 0 || t1 <= t0) return { step: 1, parts: 1, at: [] };
  const [step, parts] = niceStep(((t1 - t0) * apart) / pixels);
  const at: number[] = [];
  for (let n = Math.ceil(t0 / step); n * step <= t1; n += 1) at.push(n * step);
  return { step, parts, at };
}

/** A mark's label, exact to its step: `1.5 s`, `250 ms`, `2:05`, `1:02:05`. Before the start: "". */
export function tickLabel(time: number, step: number): string {
  // Rounded once and for all, or 1.97 s would be 1 s and a fraction of 1.0.
  const place = 10 ** Math.floor(Math.log10(Math.min(step, SECOND)) + 1e-9);
  const us = Math.round(time / place) * place;
  if (us < 0) return "";
  if (us === 0) return "0";
  if (step < 1_000) return us < SECOND ? `${trimmed(us / 1_000, step / 1_000)} ms` : `${trimmed(us / SECOND, step / SECOND)} s`;
  if (us < SECOND) return `${trimmed(us / 1_000, step / 1_000)} ms`;
  if (us < MINUTE) return `${trimmed(us / SECOND, step / SECOND)} s`;
  const seconds = us / SECOND;
  const whole = Math.floor(seconds + 1e-9);
  const fraction = step < SECOND ? trimmed(seconds - whole, step / SECOND).slice(1) : "";
  const tail = `${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}${fraction}`;
  return us < HOUR ? tail.replace(/^0/, "") : `${String(Math.floor(whole / 3600))}:${tail}`;
}

function trimmed(value: number, step: number): string {
  const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return value.toFixed(places);
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
