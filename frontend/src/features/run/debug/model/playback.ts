/** How long the playhead rests at each step while it plays. */

export const SPEEDS = [0.5, 1, 2, 4, 8] as const;
export type Speed = (typeof SPEEDS)[number];

/** A longer silence is squeezed to this, microseconds. */
export const LONGEST_GAP = 1_200_000;
/** Between so close steps a screen shows none the less each one. */
const SHORTEST_MS = 40;
/** Who wants little motion sees at most two steps a second. */
const CALM_MS = 500;

/** Milliseconds from one event to the next one on the screen. Times in microseconds. */
export function restMs(from: number, to: number, speed: number, calm: boolean): number {
  const gap = Math.min(Math.max(0, to - from), LONGEST_GAP);
  return Math.max(gap / 1000 / speed, calm ? CALM_MS : SHORTEST_MS);
}

/** The next slower or quicker speed; the same at either end. */
export function otherSpeed(speed: Speed, by: 1 | -1): Speed {
  const at = SPEEDS.indexOf(speed);
  return SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))] ?? speed;
}
