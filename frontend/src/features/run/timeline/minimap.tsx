import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { useRunPlace } from "../model/run-context";
import { show } from "./gestures";
import styles from "./timeline.module.css";
import type { Tiles } from "./tiles";
import { SHORTEST_US, type TimeView } from "./time-view";
import { useRenderer } from "./use-renderer";

type Grip = "move" | "left" | "right" | "new";

/** All of the run in a strip, with a brush over the part that the timeline shows. */
export function Minimap({ tiles }: { tiles: Tiles }) {
  const { t } = useTranslation();
  const { page, live } = useRunPlace();
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const brush = useRef<HTMLDivElement>(null);
  const renderer = useRenderer(frame, canvas, tiles, { mini: true });

  useEffect(() => {
    const place = () => {
      const [element, at] = [brush.current, renderer.current];
      if (element === null || at === null) return;
      const { window } = page.getState();
      const whole = at.view();
      const share = (us: number) => Math.min(1, Math.max(0, (us - whole.t0) / (whole.t1 - whole.t0)));
      element.hidden = window === null;
      if (window === null) return;
      element.style.left = `${String(share(window.t0) * 100)}%`;
      element.style.right = `${String((1 - share(window.t1)) * 100)}%`;
    };
    place();
    return page.subscribe(place);
  }, [page, renderer]);

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    let drag: { grip: Grip; from: number; view: TimeView } | null = null;
    const time = (event: PointerEvent) => renderer.current?.timeAt(event.clientX - element.getBoundingClientRect().left) ?? 0;
    const onDown = (event: PointerEvent) => {
      const at = renderer.current;
      if (at === null || event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      const grip = (event.target as HTMLElement).dataset["grip"] as Grip | undefined;
      const whole = at.view();
      drag = { grip: grip ?? "new", from: time(event), view: page.getState().window ?? whole };
    };
    const onMove = (event: PointerEvent) => {
      if (drag === null || renderer.current === null) return;
      const next = brushed(drag.grip, drag.view, drag.from, time(event));
      if (next !== null) show(page, next, renderer.current.lastUs(), live);
    };
    const onUp = (event: PointerEvent) => {
      if (drag?.grip === "new" && brushed("new", drag.view, drag.from, time(event)) === null) centre(drag.from);
      drag = null;
    };
    const centre = (at: number) => {
      const { window } = page.getState();
      if (window === null || renderer.current === null) return;
      const half = (window.t1 - window.t0) / 2;
      show(page, { t0: at - half, t1: at + half }, renderer.current.lastUs(), live);
    };
    const onDouble = () => page.setState({ window: null, follow: live });
    element.addEventListener("pointerdown", onDown);
    element.addEventListener("pointermove", onMove);
    element.addEventListener("pointerup", onUp);
    element.addEventListener("dblclick", onDouble);
    return () => {
      element.removeEventListener("pointerdown", onDown);
      element.removeEventListener("pointermove", onMove);
      element.removeEventListener("pointerup", onUp);
      element.removeEventListener("dblclick", onDouble);
    };
  }, [page, live, renderer]);

  return (
    <div ref={frame} className={styles["minimap"]} title={t("trace.timeline.minimap")}>
      <canvas ref={canvas} className={styles["canvas"]} aria-hidden />
      <div ref={brush} className={styles["brush"]} data-grip="move" hidden>
        <span className={styles["grip"]} data-grip="left" />
        <span className={styles["grip"]} data-grip="right" />
      </div>
    </div>
  );
}

/** The window after a drag; null where a new one would be too short to be meant. */
export function brushed(grip: Grip, view: TimeView, from: number, to: number): TimeView | null {
  const by = to - from;
  if (grip === "move") return { t0: view.t0 + by, t1: view.t1 + by };
  if (grip === "left") return { t0: Math.min(view.t0 + by, view.t1 - SHORTEST_US), t1: view.t1 };
  if (grip === "right") return { t0: view.t0, t1: Math.max(view.t1 + by, view.t0 + SHORTEST_US) };
  const next = { t0: Math.min(from, to), t1: Math.max(from, to) };
  return next.t1 - next.t0 < Math.max((view.t1 - view.t0) * 0.005, SHORTEST_US) ? null : next;
}
