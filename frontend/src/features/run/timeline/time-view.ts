/** The part of the run that is on the screen: microseconds since its start. */
export interface TimeView {
  t0: number;
  t1: number;
}

/** No deeper than this: 200 µs across the screen. */
export const SHORTEST_US = 200;
const MARGIN = 0.02;

/** The whole run with a little air at its end. A run without length gets a second. */
export function fit(lastUs: number): TimeView {
  const length = lastUs > 0 ? Math.max(lastUs, 1_000) : 1_000_000;
  return { t0: -length * MARGIN * 0.5, t1: length * (1 + MARGIN) };
}

/** Makes the span `factor` times as long round `at`, which stays where it is on the screen. */
export function zoom(view: TimeView, factor: number, at: number, lastUs: number): TimeView {
  const longest = (fit(lastUs).t1 - fit(lastUs).t0) * 1.5;
  const length = view.t1 - view.t0;
  const next = Math.min(Math.max(length * factor, SHORTEST_US), Math.max(longest, SHORTEST_US));
  const share = (at - view.t0) / length;
  return keep({ t0: at - share * next, t1: at + (1 - share) * next }, lastUs);
}

/** Moves the view by some microseconds, but never off the run. */
export function pan(view: TimeView, byUs: number, lastUs: number): TimeView {
  return keep({ t0: view.t0 + byUs, t1: view.t1 + byUs }, lastUs);
}

/** Moves the view just so far that `[from, to]` is seen; a view that shows it already stays. */
export function reveal(view: TimeView, from: number, to: number, lastUs: number): TimeView {
  const length = view.t1 - view.t0;
  if (from >= view.t0 && to <= view.t1) return view;
  if (to - from >= length) {
    return from > view.t1 || to < view.t0 ? keep(moved(view, from - length * 0.1), lastUs) : view;
  }
  return keep(moved(view, (from + to) / 2 - length / 2), lastUs);
}

/** The view of the same length that ends with the run: where a live one sticks. */
export function stick(view: TimeView, lastUs: number): TimeView {
  const length = view.t1 - view.t0;
  return moved(view, lastUs + length * MARGIN - length);
}

/** Whether the end of the run is on the screen, so that following it moves nothing by surprise. */
export function seesEnd(view: TimeView, lastUs: number): boolean {
  return lastUs >= view.t0 && lastUs <= view.t1;
}

function moved(view: TimeView, t0: number): TimeView {
  return { t0, t1: t0 + view.t1 - view.t0 };
}

/** At least a tenth of the screen shows the run. */
function keep(view: TimeView, lastUs: number): TimeView {
  const length = view.t1 - view.t0;
  const lowest = -length * 0.9;
  const highest = lastUs - length * 0.1;
  return moved(view, Math.min(Math.max(view.t0, lowest), Math.max(highest, lowest)));
}
