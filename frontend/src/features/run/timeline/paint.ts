import { EDGE, ERROR, FAMILY_BITS, OPEN, POINT, WARNING } from "./raster";

/** Colours as the pixel buffer takes them: 0xAABBGGRR. */
export interface Palette {
  background: number;
  /** By family number. */
  family: readonly number[];
  error: number;
  warning: number;
}

/** Where a row lies in the buffer, device pixels. */
export interface RowBox {
  top: number;
  height: number;
  /** Height of a bar within it. */
  bar: number;
}

/** The colour of each of the 256 pixel codes, and its second one for the stripes of open spans. */
export function colours(palette: Palette): { solid: Uint32Array; stripe: Uint32Array } {
  const solid = new Uint32Array(256);
  const stripe = new Uint32Array(256);
  for (let code = 1; code < 256; code += 1) {
    const family = (code & FAMILY_BITS) - 1;
    let colour = palette.family[family] ?? palette.family[palette.family.length - 1] ?? palette.error;
    if ((code & ERROR) !== 0) colour = palette.error;
    else if ((code & WARNING) !== 0) colour = palette.warning;
    solid[code] = (code & EDGE) !== 0 ? mix(colour, palette.background, 0.55) : colour;
    stripe[code] = (code & OPEN) !== 0 ? mix(colour, palette.background, 0.45) : (solid[code] as number);
  }
  return { solid, stripe };
}

/** `share` of the second colour in the first. */
export function mix(a: number, b: number, share: number): number {
  const channel = (shift: number) =>
    Math.round(((a >>> shift) & 255) * (1 - share) + ((b >>> shift) & 255) * share) << shift;
  return (0xff000000 | channel(16) | channel(8) | channel(0)) >>> 0;
}

const STRIPE = 4;

/**
 * Paints one row of pixel codes into the buffer, run by run of equal codes.
 *
 * Errors take the row's whole height, so that one device pixel of them is still seen; bars less,
 * points half of a bar.
 */
export function paintRow(
  pixels: Uint32Array,
  stride: number,
  codes: Uint8Array,
  base: number,
  width: number,
  box: RowBox,
  table: { solid: Uint32Array; stripe: Uint32Array },
): void {
  let x = 0;
  while (x < width) {
    const code = codes[base + x] as number;
    let next = x + 1;
    while (next < width && codes[base + next] === code) next += 1;
    if (code !== 0) paintRun(pixels, stride, x, next, code, box, table);
    x = next;
  }
}

function paintRun(
  pixels: Uint32Array,
  stride: number,
  x0: number,
  x1: number,
  code: number,
  box: RowBox,
  table: { solid: Uint32Array; stripe: Uint32Array },
): void {
  const isError = (code & ERROR) !== 0;
  const narrow = x1 - x0 <= 4;
  let height = isError && narrow ? box.height : box.bar;
  if ((code & POINT) !== 0 && !isError) height = Math.max(2, Math.round(box.bar * 0.6));
  const top = box.top + ((box.height - height) >> 1);
  const solid = table.solid[code] as number;
  if ((code & OPEN) === 0) {
    for (let y = top; y < top + height; y += 1) pixels.fill(solid, y * stride + x0, y * stride + x1);
    return;
  }
  const stripe = table.stripe[code] as number;
  for (let y = top; y < top + height; y += 1) {
    for (let x = x0; x < x1; x += 1) {
      pixels[y * stride + x] = ((x + y) & (2 * STRIPE - 1)) < STRIPE ? solid : stripe;
    }
  }
}
