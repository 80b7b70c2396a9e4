import type { Run } from "@/lib/api/types";

/** What to ask the server for so that `id` comes to stand at `to` (an index in the list without it). */
export type Move = { before: string } | { priority: number; position: number };

/**
 * The move that puts a run at another place. Ahead of a run is said by its id; the end of the
 * queue has no run behind it, so it is said by the last one's priority and a later position.
 * Null where it stands there already, or is not in the queue.
 */
export function moveTo(queue: Run[], id: string, to: number): Move | null {
  const from = queue.findIndex((run) => run.run_id === id);
  if (from < 0) return null;
  const others = queue.filter((run) => run.run_id !== id);
  const place = Math.max(0, Math.min(to, others.length));
  if (place === from) return null;
  const behind = others[place];
  if (behind !== undefined) return { before: behind.run_id };
  const last = others.at(-1);
  return last === undefined ? null : { priority: last.priority, position: last.position + 1 };
}

/** The queue as it will be, shown before the server has answered. */
export function reordered(queue: Run[], id: string, to: number): Run[] {
  const run = queue.find((each) => each.run_id === id);
  if (run === undefined) return queue;
  const others = queue.filter((each) => each.run_id !== id);
  return [...others.slice(0, to), run, ...others.slice(to)];
}
