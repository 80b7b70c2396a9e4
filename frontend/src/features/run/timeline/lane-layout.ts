import type { Lanes } from "@/lib/events/lanes";

/** A lane's place, CSS pixels from the top of the lanes. */
export interface LaneBox {
  lane: number;
  top: number;
  height: number;
  bar: number;
}

export const AGENT_HEIGHT = 30;
export const TOOL_HEIGHT = 22;
const COMPACT = 0.72;

/** Rows from top to bottom: agents taller than the tools below them. */
export function layoutLanes(lanes: Lanes, compact: boolean): { boxes: LaneBox[]; height: number } {
  let top = 0;
  const scale = compact ? COMPACT : 1;
  const boxes = lanes.order.map((lane) => {
    const isTool = (lanes.get(lane)?.parent ?? -1) >= 0;
    const height = Math.round((isTool ? TOOL_HEIGHT : AGENT_HEIGHT) * scale);
    const box = { lane, top, height, bar: Math.round(height * (isTool ? 0.5 : 0.6)) };
    top += height;
    return box;
  });
  return { boxes, height: top };
}

/** The box at a height, or undefined below the last. */
export function boxAt(boxes: readonly LaneBox[], y: number): LaneBox | undefined {
  return boxes.find((box) => y >= box.top && y < box.top + box.height);
}
