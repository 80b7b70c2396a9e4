import { Wrench } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { classNames } from "@/components/class-names";

import { look } from "../model/page-state";
import { useFromStore, usePage, useRunPlace } from "../model/run-context";
import { attachGestures, show } from "./gestures";
import { HoverCard, type HoverHandle } from "./hover-card";
import { layoutLanes } from "./lane-layout";
import { RULER_HEIGHT } from "./timeline-renderer";
import type { Tiles } from "./tiles";
import { pan, reveal, stick, zoom } from "./time-view";
import styles from "./timeline.module.css";
import { useRenderer } from "./use-renderer";
import { useTimelineKeys } from "./use-timeline-keys";

/** The lanes: names at the left, one canvas beside them, all in one scrolling frame. */
export function Timeline({ tiles, compact = false }: { tiles: Tiles; compact?: boolean }) {
  const { t } = useTranslation();
  const { session, page, live } = useRunPlace();
  const scroller = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const card = useRef<HoverHandle>(null);
  const renderer = useRenderer(frame, canvas, tiles, { compact });
  useFromStore(({ store }) => store.lanes.version);
  const lane = usePage((state) => state.lane);
  const { boxes, height } = layoutLanes(session.store.lanes, compact);

  useEffect(() => {
    const [element, outer] = [frame.current, scroller.current];
    if (element === null || outer === null) return;
    const onScroll = () => {
      if (renderer.current === null) return;
      renderer.current.scroll = outer.scrollTop;
      renderer.current.invalidate();
    };
    outer.addEventListener("scroll", onScroll, { passive: true });
    const detach = attachGestures({
      element,
      scroller: outer,
      renderer: () => renderer.current,
      page,
      session,
      live: () => live,
      onHover: (seq, x, y) => {
        card.current?.place(x, y);
        element.style.cursor = seq === null ? "" : "pointer";
        if (page.getState().hover !== seq) page.setState({ hover: seq });
      },
    });
    return () => {
      outer.removeEventListener("scroll", onScroll);
      detach();
    };
  }, [page, session, live, renderer]);

  useFollowing(renderer);
  useRevealing(renderer, scroller);
  useTimelineKeys({
    zoomBy: (factor) => {
      const at = renderer.current;
      if (at === null) return;
      const { seq } = page.getState();
      const view = at.view();
      const head = seq !== null && session.store.has(seq) ? session.store.at(seq) : NaN;
      const centre = head >= view.t0 && head <= view.t1 ? head : (view.t0 + view.t1) / 2;
      show(page, zoom(view, factor, centre, at.lastUs()), at.lastUs(), live);
    },
    panBy: (share) => {
      const at = renderer.current;
      if (at === null) return;
      const view = at.view();
      show(page, pan(view, share * (view.t1 - view.t0), at.lastUs()), at.lastUs(), live);
    },
    fit: () => {
      look(page, null);
      page.setState({ follow: live });
    },
  });

  return (
    <div ref={scroller} className={classNames(styles["scroller"], compact && styles["compact"])} role="group" aria-label={t("trace.timeline.label")}>
      <div className={styles["names"]} style={{ minHeight: height + RULER_HEIGHT }}>
        <div className={styles["corner"]} style={{ height: RULER_HEIGHT }} />
        {boxes.map((box) => {
          const own = session.store.lanes.get(box.lane);
          if (own === undefined) return null;
          const isTool = own.parent >= 0;
          return (
            <button
              key={own.name}
              type="button"
              className={classNames(styles["name"], isTool && styles["tool"], lane === own.name && styles["chosen"])}
              style={{ height: box.height }}
              title={own.name}
              aria-pressed={lane === own.name}
              disabled={isTool}
              onClick={() => page.setState({ lane: lane === own.name ? "" : own.name })}
            >
              {isTool && <Wrench size={11} aria-hidden />}
              <span>{own.label}</span>
            </button>
          );
        })}
      </div>
      <div ref={frame} className={styles["frame"]}>
        <canvas ref={canvas} className={styles["canvas"]} role="img" aria-label={t("trace.timeline.canvas")} />
      </div>
      <HoverCard ref={card} />
    </div>
  );
}

/** Keeps the end of a live run in sight until the person moves away from it. */
function useFollowing(renderer: ReturnType<typeof useRenderer>): void {
  const { page, live } = useRunPlace();
  useEffect(() => {
    if (!live) return;
    const timer = setInterval(() => {
      const { follow, window } = page.getState();
      if (!follow || window === null || renderer.current === null) return;
      page.setState({ window: stick(window, renderer.current.lastUs()) });
    }, 100);
    return () => clearInterval(timer);
  }, [live, page, renderer]);
}

/** Brings the selected event into view, along time and among the lanes; what is seen stays put. */
function useRevealing(renderer: ReturnType<typeof useRenderer>, scroller: React.RefObject<HTMLDivElement | null>): void {
  const { page, session } = useRunPlace();
  const seq = usePage((state) => state.seq);
  const known = useFromStore(({ store }) => seq !== null && store.has(seq));
  useEffect(() => {
    const at = renderer.current;
    if (seq === null || !known || at === null) return;
    const { store } = session;
    const { window } = page.getState();
    if (window !== null) {
      const next = reveal(window, store.at(seq), store.end(seq), at.lastUs());
      if (next !== window) page.setState({ window: next });
    }
    at.layout();
    const box = at.boxes[store.lanes.rowOf[store.lane(seq)] ?? -1];
    const outer = scroller.current;
    if (box === undefined || outer === null) return;
    const seen = outer.clientHeight - RULER_HEIGHT;
    if (box.top < outer.scrollTop) outer.scrollTop = box.top;
    else if (box.top + box.height > outer.scrollTop + seen) outer.scrollTop = box.top + box.height - seen;
  }, [seq, known, page, session, renderer, scroller]);
}
