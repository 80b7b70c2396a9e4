import { select, type PageStore } from "../model/page-state";
import type { RunSession } from "../model/run-session";
import type { TimelineRenderer } from "./timeline-renderer";
import { pan, seesEnd, zoom, type TimeView } from "./time-view";

const CLICK_SLACK = 4;
const WHEEL_RATE = 0.0016;
const PINCH_RATE = 0.01;

/** What the gestures move. */
export interface GestureOptions {
  element: HTMLElement;
  scroller: HTMLElement;
  renderer: () => TimelineRenderer | null;
  page: PageStore;
  session: RunSession;
  live: () => boolean;
  /** The pointer is over an event, or over none. */
  onHover: (seq: number | null, x: number, y: number) => void;
}

/** Sets the window; a live run is followed on as long as its end stays in sight. */
export function show(page: PageStore, window: TimeView, lastUs: number, live: boolean): void {
  page.setState({ window, follow: live && seesEnd(window, lastUs) });
}

/** Wheel, pinch, drag, hover, click and double click on the timeline. Returns what removes them. */
export function attachGestures(options: GestureOptions): () => void {
  const { element } = options;
  const pointers = new Map<number, PointerEvent>();
  let drag: { x: number; y: number; moved: boolean; view: TimeView; scroll: number } | null = null;
  let spread = 0;

  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    wheel(options, event);
  };

  const onDown = (event: PointerEvent) => {
    const renderer = options.renderer();
    if (renderer === null || event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, event);
    spread = distance(pointers);
    drag = { x: event.clientX, y: event.clientY, moved: pointers.size > 1, view: renderer.view(), scroll: options.scroller.scrollTop };
  };

  const onMove = (event: PointerEvent) => {
    const renderer = options.renderer();
    if (renderer === null) return;
    if (pointers.has(event.pointerId)) pointers.set(event.pointerId, event);
    if (pointers.size > 1) {
      const next = distance(pointers);
      if (spread > 0 && next > 0) zoomAt(options, spread / next, event.clientX);
      spread = next;
    } else if (drag === null) hover(options, event);
    else dragTo(options, drag, event);
  };

  const onUp = (event: PointerEvent) => {
    pointers.delete(event.pointerId);
    if (drag !== null && !drag.moved) click(options, event);
    drag = null;
  };

  const onLeave = () => options.onHover(null, 0, 0);
  const onDouble = (event: MouseEvent) => zoomToBar(options, event);
  element.addEventListener("wheel", onWheel, { passive: false });
  element.addEventListener("pointerdown", onDown);
  element.addEventListener("pointermove", onMove);
  element.addEventListener("pointerup", onUp);
  element.addEventListener("pointercancel", onUp);
  element.addEventListener("pointerleave", onLeave);
  element.addEventListener("dblclick", onDouble);
  return () => {
    element.removeEventListener("wheel", onWheel);
    element.removeEventListener("pointerdown", onDown);
    element.removeEventListener("pointermove", onMove);
    element.removeEventListener("pointerup", onUp);
    element.removeEventListener("pointercancel", onUp);
    element.removeEventListener("pointerleave", onLeave);
    element.removeEventListener("dblclick", onDouble);
  };
}

function offset({ element }: GestureOptions, event: { clientX: number; clientY: number }): [number, number] {
  const box = element.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

function zoomAt(options: GestureOptions, factor: number, clientX: number): void {
  const renderer = options.renderer();
  if (renderer === null) return;
  const [x] = offset(options, { clientX, clientY: 0 });
  const lastUs = renderer.lastUs();
  show(options.page, zoom(renderer.view(), factor, renderer.timeAt(x), lastUs), lastUs, options.live());
}

function wheel(options: GestureOptions, event: WheelEvent): void {
  const renderer = options.renderer();
  if (renderer === null) return;
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
  const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
  if (!sideways) {
    zoomAt(options, Math.exp(event.deltaY * unit * (event.ctrlKey ? PINCH_RATE : WHEEL_RATE)), event.clientX);
    return;
  }
  const pixels = (event.deltaX === 0 ? event.deltaY : event.deltaX) * unit;
  const view = renderer.view();
  const by = (pixels / options.element.clientWidth) * (view.t1 - view.t0);
  const lastUs = renderer.lastUs();
  show(options.page, pan(view, by, lastUs), lastUs, options.live());
}

function dragTo(
  options: GestureOptions,
  drag: { x: number; y: number; moved: boolean; view: TimeView; scroll: number },
  event: PointerEvent,
): void {
  const dx = event.clientX - drag.x;
  const dy = event.clientY - drag.y;
  if (!drag.moved && Math.hypot(dx, dy) < CLICK_SLACK) return;
  drag.moved = true;
  options.onHover(null, 0, 0);
  options.scroller.scrollTop = drag.scroll - dy;
  const renderer = options.renderer();
  if (renderer === null) return;
  const by = (-dx / options.element.clientWidth) * (drag.view.t1 - drag.view.t0);
  const lastUs = renderer.lastUs();
  show(options.page, pan(drag.view, by, lastUs), lastUs, options.live());
}

function hover(options: GestureOptions, event: PointerEvent): void {
  if (event.pointerType === "touch") return;
  const [x, y] = offset(options, event);
  options.onHover(options.renderer()?.pickAt(x, y)?.seq ?? null, event.clientX, event.clientY);
}

function click(options: GestureOptions, event: PointerEvent): void {
  const renderer = options.renderer();
  if (renderer === null) return;
  const [x, y] = offset(options, event);
  const seq = renderer.pickAt(x, y)?.seq ?? options.session.store.seqAt(renderer.timeAt(x));
  if (seq === null) return;
  options.session.ensure(seq, seq);
  select(options.page, seq, event.pointerType === "touch");
}

function zoomToBar(options: GestureOptions, event: MouseEvent): void {
  const renderer = options.renderer();
  if (renderer === null) return;
  const found = renderer.pickAt(...offset(options, event));
  if (found === null) return;
  const air = Math.max((found.end - found.start) * 0.15, 500);
  show(options.page, { t0: found.start - air, t1: found.end + air }, renderer.lastUs(), options.live());
}

function distance(pointers: ReadonlyMap<number, PointerEvent>): number {
  const [a, b] = [...pointers.values()];
  return a === undefined || b === undefined ? 0 : Math.abs(a.clientX - b.clientX);
}
