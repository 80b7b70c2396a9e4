import type { Event } from "@/generated/events";

import type { RunSession } from "../model/run-session";
import type { PageStore } from "../model/page-state";
import type { BarSegment } from "./bar-segment";
import { boxAt, layoutLanes, type LaneBox } from "./lane-layout";
import * as overlay from "./overlay";
import { colours, paintRow } from "./paint";
import { pick, type Pick } from "./pick";
import { errorMarks, Raster } from "./raster";
import { storeBars } from "./store-bars";
import type { TimelineTheme } from "./theme";
import type { Tiles } from "./tiles";
import { fit, type TimeView } from "./time-view";

export const RULER_HEIGHT = 26;
const ERROR_MARK_APART = 9;
const PICK_SLACK_PIXELS = 4;
const MOST_EFFECTS = 12;

/** What the renderer draws, and for how wide a place. */
export interface RendererOptions {
  canvas: HTMLCanvasElement;
  session: RunSession;
  page: PageStore;
  tiles: Tiles;
  theme: () => TimelineTheme;
  live: () => boolean;
  /** The last seq that a fork shares with its parent; -1 for a run that is none. */
  shared: number;
  /** Without ruler, labels and marks: the minimap. */
  mini?: boolean;
}

/**
 * Draws the timeline on one canvas, at most once an animation frame.
 *
 * Bars go through the raster into a pixel buffer; words, marks and arrows are drawn over them.
 */
export class TimelineRenderer {
  boxes: LaneBox[] = [];
  lanesHeight = 0;
  /** CSS pixels by which the lanes are scrolled. */
  scroll = 0;
  compact = false;
  /** Milliseconds that the last draw took. */
  lastDraw = 0;
  private width = 0;
  private height = 0;
  private ratio = 1;
  private lanesVersion = -1;
  private laidOutCompact = false;
  private frame = 0;
  private readonly raster = new Raster();
  private drawn = false;
  private image: ImageData | null = null;
  private segments: BarSegment[] = [];

  constructor(private readonly options: RendererOptions) {}

  /** CSS pixels of the canvas; its own pixels are as many as the screen has. */
  resize(width: number, height: number, ratio: number): void {
    if (width === this.width && height === this.height && ratio === this.ratio) return;
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    const { canvas } = this.options;
    canvas.width = Math.max(1, Math.round(width * ratio));
    canvas.height = Math.max(1, Math.round(height * ratio));
    this.image = null;
    this.invalidate();
  }

  /** Draw in the next frame. */
  readonly invalidate = (): void => {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.draw());
  };

  dispose(): void {
    cancelAnimationFrame(this.frame);
  }

  /** What is drawn: the minimap always shows all. */
  view(): TimeView {
    const window = this.options.mini === true ? null : this.options.page.getState().window;
    return window ?? fit(this.lastUs());
  }

  /** Where the run ends for now. */
  lastUs(): number {
    const { session, live } = this.options;
    return live() ? session.now() : session.store.latest;
  }

  timeAt(x: number): number {
    const { t0, t1 } = this.view();
    return t0 + (x / Math.max(1, this.width)) * (t1 - t0);
  }

  /** What is at a point, CSS pixels from the canvas's corner. */
  pickAt(x: number, y: number): Pick | null {
    const box = boxAt(this.boxes, y - RULER_HEIGHT + this.scroll);
    if (box === undefined || y < RULER_HEIGHT) return null;
    const { t0, t1 } = this.view();
    const slack = (PICK_SLACK_PIXELS / Math.max(1, this.width)) * (t1 - t0);
    return pick(this.segments, box.lane, this.timeAt(x), slack, this.lastUs(), this.options.session.store.openFrom);
  }

  layout(): void {
    const { lanes } = this.options.session.store;
    if (lanes.version === this.lanesVersion && this.compact === this.laidOutCompact) return;
    this.lanesVersion = lanes.version;
    this.laidOutCompact = this.compact;
    const { boxes, height } = layoutLanes(lanes, this.compact);
    this.boxes = boxes;
    this.lanesHeight = height;
  }

  private draw(): void {
    this.frame = 0;
    const context = this.options.canvas.getContext("2d");
    if (context === null || this.width === 0) return;
    const started = performance.now();
    this.layout();
    const view = this.view();
    this.gather(view);
    this.drawBars(context, view);
    if (this.options.mini === true) this.drawMiniErrors(context);
    else this.drawOverlays(context, view);
    if (!this.drawn && this.segments.length > 0) {
      this.drawn = true;
      performance.mark("timeline drawn");
    }
    this.lastDraw = performance.now() - started;
  }

  /** Tiles below where not all is loaded, what is loaded above them. */
  private gather(view: TimeView): void {
    const { session, tiles } = this.options;
    const perPixel = (view.t1 - view.t0) / Math.max(1, this.width * this.ratio);
    const loadingWhole = session.whole && session.loading.state === "loading";
    const below = session.complete || loadingWhole ? [] : tiles.segments(view, perPixel, this.lastUs());
    this.segments = [...below, ...storeBars(session.store)];
  }

  private drawBars(context: CanvasRenderingContext2D, view: TimeView): void {
    const { canvas, session, theme, live } = this.options;
    const { width, height } = canvas;
    const image = (this.image ??= context.createImageData(width, height));
    const pixels = new Uint32Array(image.data.buffer);
    pixels.fill(0);
    this.raster.begin({
      view,
      width,
      rows: this.boxes.length,
      rowOf: session.store.lanes.rowOf,
      now: this.lastUs(),
      openFrom: session.store.openFrom,
      live: live(),
    });
    for (const segment of this.segments) this.raster.add(segment);
    const table = colours(theme().palette);
    this.boxes.forEach((box, row) => {
      const place = this.place(box, row);
      if (place.top + place.height <= 0 || place.top >= height) return;
      paintRow(pixels, width, this.raster.codes, row * width, width, clip(place, height), table);
    });
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.putImageData(image, 0, 0);
  }

  /** Errors go through the whole height of the minimap, since a lane there is a pixel or two. */
  private drawMiniErrors(context: CanvasRenderingContext2D): void {
    const { width, height } = this.options.canvas;
    context.fillStyle = this.options.theme().css.error;
    for (let row = 0; row < this.boxes.length; row += 1) {
      for (const mark of errorMarks(this.raster.codes, row, width, 3)) context.fillRect(mark, 0, Math.max(1, this.ratio), height);
    }
  }

  /** A lane's place in device pixels. In the minimap all lanes share the height. */
  private place(box: LaneBox, row: number): { top: number; height: number; bar: number } {
    const { ratio } = this;
    if (this.options.mini === true) {
      const usable = (this.height - 6) * ratio;
      const each = usable / Math.max(1, this.boxes.length);
      const top = Math.round(3 * ratio + row * each);
      const height = Math.max(1, Math.min(Math.floor(each) - (each > 3 ? 1 : 0), Math.round(7 * ratio)));
      return { top, height, bar: height };
    }
    const top = Math.round((RULER_HEIGHT - this.scroll + box.top) * ratio);
    return { top, height: Math.round((box.height - 1) * ratio), bar: Math.round(box.bar * ratio) };
  }

  private drawOverlays(context: CanvasRenderingContext2D, view: TimeView): void {
    const { session, theme, page } = this.options;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    const over: overlay.Overlay = {
      context,
      width: this.width,
      height: this.height,
      ruler: RULER_HEIGHT,
      scroll: this.scroll,
      view,
      theme: theme(),
      boxes: this.boxes,
    };
    overlay.drawGrid(over);
    const { shared } = this.options;
    if (shared >= 0 && session.store.has(shared)) overlay.drawShared(over, session.store.at(shared));
    const boxOf = (lane: number) => this.boxes[session.store.lanes.rowOf[lane] ?? -1];
    overlay.drawLabels(over, session.store, boxOf, this.lastUs());
    this.boxes.forEach((box, row) => {
      const marks = errorMarks(this.raster.codes, row, this.options.canvas.width, ERROR_MARK_APART * this.ratio);
      for (const mark of marks) overlay.drawErrorMark(over, mark / this.ratio, box);
    });
    const { seq, hover } = page.getState();
    if (hover !== null && hover !== seq) this.outline(over, hover, false);
    if (seq !== null) this.drawSelection(over, seq);
    overlay.drawRuler(over);
    for (const edit of session.store.edits) overlay.drawEdit(over, session.store.at(edit));
    for (const hit of session.store.hits) overlay.drawHit(over, session.store.at(hit), stops(session.store.events.peek(hit)));
    if (seq !== null && session.store.has(seq)) overlay.drawPlayhead(over, session.store.at(seq));
  }

  private outline(over: overlay.Overlay, seq: number, strong: boolean): void {
    const { store } = this.options.session;
    const box = this.boxOfSeq(seq);
    if (box === undefined) return;
    const end = store.isOpen(seq) ? this.lastUs() : store.end(seq);
    overlay.drawOutline(over, store.at(seq), end, box, strong);
  }

  private boxOfSeq(seq: number): LaneBox | undefined {
    const { store } = this.options.session;
    return store.has(seq) ? this.boxes[store.lanes.rowOf[store.lane(seq)] ?? -1] : undefined;
  }

  private drawSelection(over: overlay.Overlay, seq: number): void {
    const { store } = this.options.session;
    this.outline(over, store.span(seq) >= 0 && store.has(store.span(seq)) ? store.span(seq) : seq, true);
    const here = this.boxOfSeq(seq);
    if (here === undefined) return;
    const causes = store.events.peek(seq)?.caused_by ?? (store.cause(seq) >= 0 ? [store.cause(seq)] : []);
    for (const cause of causes) {
      const box = this.boxOfSeq(cause);
      if (box !== undefined) overlay.drawArrow(over, [store.at(cause), box], [store.at(seq), here]);
    }
    for (const effect of this.effects(seq)) {
      const box = this.boxOfSeq(effect);
      if (box !== undefined) overlay.drawArrow(over, [store.at(seq), here], [store.at(effect), box]);
    }
  }

  /** Events that answer this one. They come soon after it, so few are looked at. */
  private effects(seq: number): number[] {
    const { store } = this.options.session;
    const found: number[] = [];
    const last = Math.min(store.head, seq + 2_000);
    for (let at = seq + 1; at <= last && found.length < MOST_EFFECTS; at += 1) {
      if (store.cause(at) === seq && store.has(at)) found.push(at);
    }
    return found;
  }
}

/** A logpoint only writes; what is not known counts as a stop. */
function stops(event: Event | undefined): boolean {
  return event?.payload.kind !== "breakpoint.hit" || event.payload.stop !== false;
}

/** The part of a row's place that lies on the canvas. */
function clip(place: { top: number; height: number; bar: number }, height: number): typeof place {
  const top = Math.max(0, place.top);
  const bottom = Math.min(height, place.top + place.height);
  return { top, height: bottom - top, bar: Math.min(place.bar, bottom - top) };
}
