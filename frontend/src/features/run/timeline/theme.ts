import { FAMILIES } from "@/generated/events";

import type { Palette } from "./paint";

/** Colours of the tokens as the canvas needs them. */
export interface TimelineTheme {
  palette: Palette;
  css: Record<"text" | "person" | "info" | "soft" | "faint" | "line" | "strong" | "accent" | "error" | "background" | "onBar", string>;
}

const reader = (() => {
  let context: CanvasRenderingContext2D | null = null;
  return (): CanvasRenderingContext2D | null => {
    context ??= Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", {
      willReadFrequently: true,
    });
    return context;
  };
})();

/** Any CSS colour as 0xAABBGGRR. */
function packed(colour: string): number {
  const context = reader();
  if (context === null) return 0xff808080;
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data;
  return (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
}

/** Reads the tokens of the theme that is shown now. */
export function readTheme(element: Element): TimelineTheme {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    palette: {
      background: packed(token("bg")),
      family: FAMILIES.map((family) => packed(token(`family-${family}`))),
      error: packed(token("error")),
      warning: packed(token("warning")),
    },
    css: {
      text: token("text"),
      person: token("family-person"),
      info: token("info"),
      soft: token("text-soft"),
      faint: token("text-faint"),
      line: token("line"),
      strong: token("line-strong"),
      accent: token("accent"),
      error: token("error"),
      background: token("bg"),
      onBar: "#fff",
    },
  };
}
