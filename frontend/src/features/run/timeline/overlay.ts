import type { Event } from "@/generated/events";
import type { EventStore } from "@/lib/events/event-store";
import { CLOSED, OPENER, PAGE_BITS, PAGE_MASK } from "@/lib/events/page";

import { summary } from "../model/summary";
import type { LaneBox } from "./lane-layout";
import type { TimelineTheme } from "./theme";
import { tickLabel, ticks } from "./ticks";
import type { TimeView } from "./time-view";

/** What the overlays share: a context in CSS pixels, and where things are in it. */
export interface Overlay {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  /** Height of the ruler at the top. */
  ruler: number;
  /** CSS pixels by which the lanes are scrolled. */
  scroll: number;
  view: TimeView;
  theme: TimelineTheme;
  boxes: readonly LaneBox[];
}

const FONT = '500 11px "Inter Variable", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", system-ui, sans-serif';

export function x(overlay: Overlay, us: number): number {
  const { view, width } = overlay;
  return ((us - view.t0) / (view.t1 - view.t0)) * width;
}

function middle(overlay: Overlay, box: LaneBox): number {
  return overlay.ruler - overlay.scroll + box.top + box.height / 2;
}

/** Grid and hairlines, under what is drawn already. */
export function drawGrid(overlay: Overlay): void {
  const { context, width, height, ruler, theme, view, boxes, scroll } = overlay;
  context.save();
  context.globalCompositeOperation = "destination-over";
  context.fillStyle = theme.css.line;
  for (const us of ticks(view.t0, view.t1, width).at) {
    context.fillRect(Math.round(x(overlay, us)), ruler, 1, height - ruler);
  }
  for (const box of boxes) {
    const y = ruler - scroll + box.top + box.height - 1;
    if (y > ruler && y < height) context.fillRect(0, y, width, 1);
  }
  context.restore();
}

/** The ruler: labels at large marks, short lines at small ones. */
export function drawRuler(overlay: Overlay): void {
  const { context, width, ruler, theme, view } = overlay;
  const { step, parts, at } = ticks(view.t0, view.t1, width);
  context.fillStyle = theme.css.background;
  context.fillRect(0, 0, width, ruler);
  context.font = FONT;
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (const us of at) {
    const left = Math.round(x(overlay, us));
    context.fillStyle = theme.css.strong;
    context.fillRect(left, ruler - 7, 1, 7);
    for (let part = 1; part < parts; part += 1) {
      context.fillRect(Math.round(x(overlay, us + (step * part) / parts)), ruler - 3, 1, 3);
    }
    const label = tickLabel(us, step);
    if (left + 4 + context.measureText(label).width > width) continue;
    context.fillStyle = theme.css.soft;
    context.fillText(label, left + 4, ruler / 2);
  }
  context.fillStyle = theme.css.line;
  context.fillRect(0, ruler - 1, width, 1);
}

/** The mark of errors: a wedge that points down at them, beside their colour. */
export function drawErrorMark(overlay: Overlay, left: number, box: LaneBox): void {
  const { context, theme, ruler, scroll } = overlay;
  const top = ruler - scroll + box.top + 1;
  if (top < ruler - 4) return;
  context.beginPath();
  context.moveTo(left - 4.5, top);
  context.lineTo(left + 5.5, top);
  context.lineTo(left + 0.5, top + 6.5);
  context.closePath();
  context.fillStyle = theme.css.error;
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = theme.css.background;
  context.stroke();
}

/** Where a breakpoint stopped the run: a disc in the ruler, and a dashed line below it; a logpoint is a ring. */
export function drawHit(overlay: Overlay, us: number, stop: boolean): void {
  const { context, ruler, theme, width, height } = overlay;
  const left = Math.round(x(overlay, us));
  if (left < -6 || left > width + 6) return;
  if (!stop) {
    context.strokeStyle = theme.css.info;
    context.lineWidth = 1.5;
    context.beginPath();
    context.arc(left + 0.5, ruler - 7, 3.5, 0, 2 * Math.PI);
    context.stroke();
    return;
  }
  context.save();
  context.strokeStyle = theme.css.error;
  context.lineWidth = 1;
  context.globalAlpha = 0.55;
  context.setLineDash([3, 3]);
  context.beginPath();
  context.moveTo(left + 0.5, ruler);
  context.lineTo(left + 0.5, height);
  context.stroke();
  context.restore();
  context.beginPath();
  context.arc(left + 0.5, ruler - 7, 4, 0, 2 * Math.PI);
  context.fillStyle = theme.css.error;
  context.fill();
}

/** Where a person changed something: a diamond in the ruler. */
export function drawEdit(overlay: Overlay, us: number): void {
  const { context, ruler, theme, width } = overlay;
  const left = Math.round(x(overlay, us));
  if (left < -6 || left > width + 6) return;
  context.beginPath();
  context.moveTo(left + 0.5, ruler - 12);
  context.lineTo(left + 5.5, ruler - 7);
  context.lineTo(left + 0.5, ruler - 2);
  context.lineTo(left - 4.5, ruler - 7);
  context.closePath();
  context.fillStyle = theme.css.person;
  context.fill();
}

/** What a fork shares with its parent, up to a time: hatched, for it was not done again. */
export function drawShared(overlay: Overlay, us: number): void {
  const { context, height, ruler, theme, width } = overlay;
  const right = Math.min(width, Math.round(x(overlay, us)));
  if (right <= 0) return;
  context.save();
  context.beginPath();
  context.rect(0, ruler, right, height - ruler);
  context.clip();
  context.strokeStyle = theme.css.info;
  context.globalAlpha = 0.22;
  context.beginPath();
  for (let at = -height; at < right; at += 9) {
    context.moveTo(at, height);
    context.lineTo(at + height, 0);
  }
  context.stroke();
  context.globalAlpha = 1;
  context.fillStyle = theme.css.info;
  context.fillRect(right, ruler, 1, height - ruler);
  context.restore();
}

/** The playhead: a line through all lanes with its handle in the ruler. */
export function drawPlayhead(overlay: Overlay, us: number): void {
  const { context, height, ruler, theme, width } = overlay;
  const left = Math.round(x(overlay, us));
  if (left < -6 || left > width + 6) return;
  context.fillStyle = theme.css.accent;
  context.fillRect(left, ruler - 4, 1, height - ruler + 4);
  context.beginPath();
  context.moveTo(left - 5, ruler - 10);
  context.lineTo(left + 6, ruler - 10);
  context.lineTo(left + 0.5, ruler - 2);
  context.closePath();
  context.fill();
}

/** The outline of a bar. */
export function drawOutline(overlay: Overlay, from: number, to: number, box: LaneBox, strong: boolean): void {
  const { context, theme } = overlay;
  const left = x(overlay, from);
  const wide = Math.max(x(overlay, to) - left, 3);
  const top = middle(overlay, box) - box.bar / 2;
  context.strokeStyle = strong ? theme.css.accent : theme.css.soft;
  context.lineWidth = strong ? 2 : 1;
  context.beginPath();
  context.roundRect(left - 1.5, top - 1.5, wide + 3, box.bar + 3, 3);
  context.stroke();
}

/** An arrow from a cause to what came of it. */
export function drawArrow(overlay: Overlay, from: [number, LaneBox], to: [number, LaneBox]): void {
  const { context, theme } = overlay;
  const x0 = x(overlay, from[0]);
  const x1 = x(overlay, to[0]);
  const y0 = middle(overlay, from[1]);
  const y1 = middle(overlay, to[1]);
  const bend = Math.min(Math.max(Math.abs(x1 - x0) / 2, 12), 90);
  context.strokeStyle = theme.css.accent;
  context.fillStyle = theme.css.accent;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x0, y0);
  context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1 - 5, y1);
  context.stroke();
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x1 - 7, y1 - 3.5);
  context.lineTo(x1 - 7, y1 + 3.5);
  context.closePath();
  context.fill();
  context.beginPath();
  context.arc(x0, y0, 2.5, 0, 2 * Math.PI);
  context.fill();
}

/** What a bar says: of a model call the answer, of a tool what it was given and gave back. */
function label(store: EventStore, opener: Event, closer: number): string {
  const asked = summary(opener);
  const end = closer < 0 ? undefined : store.events.peek(closer);
  if (end === undefined) return asked;
  return opener.payload.kind === "llm.requested" ? summary(end) : `${asked} → ${summary(end)}`;
}

/** As much of the text as there is room for; what is cut shows that it is. */
function fitted(context: CanvasRenderingContext2D, text: string, room: number): string {
  const width = context.measureText(text).width;
  if (width <= room) return text;
  const kept = Math.floor((text.length * (room - context.measureText("…").width)) / width);
  return kept < 3 ? "" : `${text.slice(0, kept).trimEnd()}…`;
}

const NARROWEST_LABEL = 44;
const MOST_LABELS = 160;

/** Words inside the bars that are wide enough for them. */
export function drawLabels(overlay: Overlay, store: EventStore, boxOf: (lane: number) => LaneBox | undefined, now: number): void {
  const { context, theme, view, ruler, height, width } = overlay;
  const least = (NARROWEST_LABEL / width) * (view.t1 - view.t0);
  context.font = FONT;
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.fillStyle = theme.css.onBar;
  let drawn = 0;
  for (let number = 0; number < store.pageCount && drawn < MOST_LABELS; number += 1) {
    const page = store.page(number << PAGE_BITS);
    if (page === undefined) continue;
    for (let i = 0; i <= PAGE_MASK && drawn < MOST_LABELS; i += 1) {
      const flags = page.flags[i] as number;
      const seq = (number << PAGE_BITS) + i;
      if ((flags & OPENER) === 0 || ((flags & CLOSED) === 0 && seq < store.openFrom)) continue;
      const from = page.at[i] as number;
      const to = (flags & CLOSED) === 0 ? now : (page.end[i] as number);
      if (to - from < least || to < view.t0 || from > view.t1) continue;
      const box = boxOf(page.lane[i] as number);
      const event = store.events.peek(seq);
      if (box === undefined || event === undefined || box.bar < 9) continue;
      const y = middle(overlay, box);
      if (y < ruler || y > height + box.height) continue;
      const left = Math.max(0, x(overlay, from));
      const right = Math.min(width, x(overlay, to));
      if (right - left < NARROWEST_LABEL) continue;
      context.save();
      context.beginPath();
      context.rect(left, y - box.height / 2, right - left - 4, box.height);
      context.clip();
      context.fillText(fitted(context, label(store, event, page.closer[i] as number), right - left - 11), left + 6, y + 0.5);
      context.restore();
      drawn += 1;
    }
  }
}
