import { useHotkeys } from "@/lib/hotkeys";

interface TimelineKeys {
  zoomBy: (factor: number) => void;
  /** By a share of what is seen. */
  panBy: (share: number) => void;
  fit: () => void;
}

const ZOOM = 0.6;
const STEP = 0.2;

/** The timeline's keys, while the page is open. */
export function useTimelineKeys({ zoomBy, panBy, fit }: TimelineKeys): void {
  const group = "trace.keys.timeline";
  useHotkeys([
    { keys: "+", label: "trace.keys.zoom_in", group, run: () => zoomBy(ZOOM) },
    { keys: "=", label: "trace.keys.zoom_in", group, run: () => zoomBy(ZOOM) },
    { keys: "w", label: "trace.keys.zoom_in", group, run: () => zoomBy(ZOOM) },
    { keys: "-", label: "trace.keys.zoom_out", group, run: () => zoomBy(1 / ZOOM) },
    { keys: "s", label: "trace.keys.zoom_out", group, run: () => zoomBy(1 / ZOOM) },
    { keys: "a", label: "trace.keys.earlier", group, run: () => panBy(-STEP) },
    { keys: "d", label: "trace.keys.later", group, run: () => panBy(STEP) },
    { keys: "0", label: "trace.keys.fit", group, run: fit },
  ]);
}
