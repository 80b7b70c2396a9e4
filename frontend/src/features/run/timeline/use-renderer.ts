import { useEffect, useMemo, useRef, type RefObject } from "react";

import { useTheme } from "@/lib/theme";

import { useRunPlace } from "../model/run-context";
import { readTheme, type TimelineTheme } from "./theme";
import { TimelineRenderer } from "./timeline-renderer";
import type { Tiles } from "./tiles";

const GROW_MS = 66;
const GROW_QUIETLY_MS = 1_000;
const MINI_MS = 250;

/** A renderer for a canvas: sized to its frame, drawn again for each commit, change of state and theme. */
export function useRenderer(
  frame: RefObject<HTMLElement | null>,
  canvas: RefObject<HTMLCanvasElement | null>,
  tiles: Tiles,
  options: { mini?: boolean; compact?: boolean } = {},
): RefObject<TimelineRenderer | null> {
  const { session, page, live, run } = useRunPlace();
  const shared = run.parent_run_id === "" ? -1 : run.parent_seq;
  const renderer = useRef<TimelineRenderer | null>(null);
  const isLive = useRef(live);
  const dark = useTheme((state) => state.dark);
  const theme = useRef<TimelineTheme | null>(null);
  const mini = options.mini === true;
  const compact = options.compact === true;

  useEffect(() => {
    const element = canvas.current;
    const outer = frame.current;
    if (element === null || outer === null) return;
    const made = new TimelineRenderer({
      canvas: element,
      session,
      page,
      tiles,
      mini,
      shared,
      theme: () => (theme.current ??= readTheme(element)),
      live: () => isLive.current,
    });
    made.compact = compact;
    renderer.current = made;
    const size = () => made.resize(outer.clientWidth, outer.clientHeight, window.devicePixelRatio || 1);
    const observer = new ResizeObserver(size);
    observer.observe(outer);
    size();
    const often = mini ? throttled(made.invalidate, MINI_MS) : made.invalidate;
    const stops = [session.store.watch(often), ...(mini ? [] : [page.subscribe(made.invalidate)])];
    return () => {
      observer.disconnect();
      stops.forEach((stop) => stop());
      made.dispose();
      renderer.current = null;
    };
  }, [canvas, frame, session, page, tiles, mini, compact, shared]);

  useEffect(() => {
    theme.current = null;
    renderer.current?.invalidate();
  }, [dark]);

  useEffect(() => {
    isLive.current = live;
    renderer.current?.invalidate();
    if (!live) return;
    const quiet = mini || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const timer = setInterval(() => renderer.current?.invalidate(), quiet ? GROW_QUIETLY_MS : GROW_MS);
    return () => clearInterval(timer);
  }, [live, mini]);

  return useMemo(() => renderer, []);
}

function throttled(run: () => void, milliseconds: number): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      run();
    }, milliseconds);
  };
}
