const FIRST_MS = 400;
const LONGEST_MS = 15_000;

/**
 * Milliseconds to wait before the n-th try to reconnect (0 is the first).
 *
 * Doubles up to 15 s; `chance` in [0, 1) spreads pages that lost the same server.
 */
export function backOff(attempt: number, chance: number): number {
  const base = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return Math.round(base * (0.75 + 0.5 * chance));
}
