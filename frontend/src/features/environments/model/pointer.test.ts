import { describe, expect, it } from "vitest";

import { pixelOf, pointersOf } from "./pointer";

const action = (name: string, properties: object, required: string[]) => ({ name, description: "", effect: "unsafe", parameters: { properties, required } });

describe("pointers", () => {
  it("are the actions that need a place and nothing else", () => {
    const found = pointersOf([
      action("click_at", { x: {}, y: {}, double: {} }, ["x", "y"]),
      action("drag_at", { x: {}, y: {}, to_x: {}, to_y: {} }, ["x", "y", "to_x", "to_y"]),
      action("type", { text: {} }, ["text"]),
    ]);
    expect(found.map(({ name }) => name)).toEqual(["click_at"]);
    expect(found[0]?.at(3, 4)).toEqual({ x: 3, y: 4 });
  });

  it("are the gestures of a mouse that has some", () => {
    const found = pointersOf([action("computer", { action_type: { enum: ["MOVE_TO", "CLICK", "TYPING"] }, x: {}, y: {} }, ["action_type"])]);
    expect(found.map(({ name, action: of }) => [name, of])).toEqual([["CLICK", "computer"], ["MOVE_TO", "computer"]]);
    expect(found[0]?.at(3, 4)).toEqual({ action_type: "CLICK", x: 3, y: 4 });
  });
});

describe("a place on a picture", () => {
  it("is counted in the picture's own pixels, and never beside it", () => {
    const natural = { width: 1280, height: 720 };
    expect(pixelOf({ x: 320, y: 180 }, { width: 640, height: 360 }, natural)).toEqual({ x: 640, y: 360 });
    expect(pixelOf({ x: 700, y: -4 }, { width: 640, height: 360 }, natural)).toEqual({ x: 1279, y: 0 });
  });
});
