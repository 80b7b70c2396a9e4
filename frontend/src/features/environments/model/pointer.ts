import type { Action } from "../api/environments";

/** A way to act on the picture with the pointer. */
export interface Pointer {
  name: string;
  action: string;
  /** The arguments at a place of the picture, in its own pixels. */
  at: (x: number, y: number) => Record<string, unknown>;
}

interface Properties {
  action_type?: { enum?: unknown };
  x?: unknown;
  y?: unknown;
}

const GESTURES = ["CLICK", "DOUBLE_CLICK", "RIGHT_CLICK", "MOVE_TO", "DRAG_TO"];

/** What the actions allow at a place: one that takes nothing but x and y, or a mouse with gestures. */
export function pointersOf(actions: Action[]): Pointer[] {
  return actions.flatMap(({ name, parameters }) => {
    const properties = (parameters["properties"] ?? {}) as Properties;
    if (properties.x === undefined || properties.y === undefined) return [];
    const gestures = properties.action_type?.enum;
    if (Array.isArray(gestures)) {
      return GESTURES.filter((each) => gestures.includes(each)).map((gesture) => ({
        name: gesture,
        action: name,
        at: (x: number, y: number) => ({ action_type: gesture, x, y }),
      }));
    }
    const required = Array.isArray(parameters["required"]) ? parameters["required"] : [];
    const more = required.some((each) => each !== "x" && each !== "y");
    return more ? [] : [{ name, action: name, at: (x: number, y: number) => ({ x, y }) }];
  });
}

/** Where a click on a picture lies in its own pixels. */
export function pixelOf(click: { x: number; y: number }, shown: { width: number; height: number }, natural: { width: number; height: number }): { x: number; y: number } {
  const scaled = (at: number, size: number, whole: number) => Math.max(0, Math.min(whole - 1, Math.round((at / Math.max(1, size)) * whole)));
  return { x: scaled(click.x, shown.width, natural.width), y: scaled(click.y, shown.height, natural.height) };
}
