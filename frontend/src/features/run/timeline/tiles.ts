import { readBars, type BarSegment } from "./bar-segment";
import type { TimeView } from "./time-view";

/** As `LEVEL_0_US` and `LEVELS` of aworld/storage/base.py. */
export const LEVEL_0_US = 1_000;
export const LEVELS = 12;
/** Buckets across one tile. */
const TILE_BUCKETS = 2_048;
/** A tile with more entries than this is drawn from the next coarser level. */
const TOO_MANY = 150_000;
const KEPT_TILES = 64;
/** Draws for which a tile that could not be fetched is not asked for again. */
const REST_DRAWS = 120;

export function bucketUs(level: number): number {
  return LEVEL_0_US * 4 ** level;
}

/** The coarsest level whose bucket still fits into one pixel of `usPerPixel` microseconds. */
export function levelFor(usPerPixel: number): number {
  let level = 0;
  while (level < LEVELS && bucketUs(level + 1) <= usPerPixel) level += 1;
  return level;
}

interface Tile {
  key: string;
  level: number;
  index: number;
  segment: BarSegment | null;
  /** The last seq that the log had when the tile was made. */
  lastSeq: number;
  controller: AbortController | null;
  usedAt: number;
}

export interface TileSource {
  fetch: (level: number, start: number, end: number, signal: AbortSignal) => Promise<ArrayBuffer>;
  laneNumber: (name: string) => number;
  /** Something arrived: draw again. */
  arrived: () => void;
}

/**
 * Tiles of `/api/runs/{id}/bars`: fixed pieces of time a level, the ones in view and one more at
 * either side, the least recently used dropped. While a tile is on its way, a coarser one that is
 * there is drawn in its place, so zooming never shows an empty timeline.
 */
export class Tiles {
  private readonly held = new Map<string, Tile>();
  private readonly dense = new Set<string>();
  private readonly failed = new Map<string, number>();
  private clock = 0;

  constructor(private readonly source: TileSource) {}

  /** The segments to draw for a view; starts fetching what is missing. */
  segments(view: TimeView, usPerPixel: number, lastUs: number): BarSegment[] {
    this.clock += 1;
    const level = levelFor(usPerPixel);
    const found: BarSegment[] = [];
    const span = view.t1 - view.t0;
    const from = Math.max(0, view.t0 - span / 2);
    const to = Math.min(lastUs, view.t1 + span / 2);
    for (const { level: at, index } of this.cover(level, from, to)) this.want(at, index);
    for (const { level: at, index } of this.cover(level, Math.max(0, view.t0), Math.min(lastUs, view.t1))) {
      const segment = this.at(at, index) ?? this.coarser(at, index);
      if (segment !== null && !found.includes(segment)) found.push(segment);
    }
    this.trim();
    return found;
  }

  /** Forget tiles made before the log reached `seq`: part of what they show was not there yet. */
  expire(seq: number, fromUs: number): void {
    for (const tile of [...this.held.values()]) {
      const end = (tile.index + 1) * this.width(tile.level);
      if (tile.segment !== null && tile.lastSeq < seq && end > fromUs) this.held.delete(tile.key);
    }
  }

  dispose(): void {
    for (const tile of this.held.values()) tile.controller?.abort();
    this.held.clear();
  }

  private width(level: number): number {
    return bucketUs(level) * TILE_BUCKETS;
  }

  private cover(level: number, from: number, to: number): { level: number; index: number }[] {
    const width = this.width(level);
    const pieces: { level: number; index: number }[] = [];
    for (let index = Math.floor(from / width); index * width <= to; index += 1) {
      if (this.dense.has(key(level, index)) && level < LEVELS) {
        const coarse = { level: level + 1, index: index >> 2 };
        if (!pieces.some((piece) => piece.level === coarse.level && piece.index === coarse.index)) pieces.push(coarse);
      } else pieces.push({ level, index });
    }
    return pieces;
  }

  private at(level: number, index: number): BarSegment | null {
    const tile = this.held.get(key(level, index));
    if (tile !== undefined) tile.usedAt = this.clock;
    return tile?.segment ?? null;
  }

  private coarser(level: number, index: number): BarSegment | null {
    for (let up = level + 1, at = index >> 2; up <= LEVELS; up += 1, at >>= 2) {
      const segment = this.at(up, at);
      if (segment !== null) return segment;
    }
    return null;
  }

  private want(level: number, index: number): void {
    const name = key(level, index);
    if (this.held.has(name) || (this.failed.get(name) ?? 0) > this.clock) return;
    const controller = new AbortController();
    const tile: Tile = { key: name, level, index, segment: null, lastSeq: -1, controller, usedAt: this.clock };
    this.held.set(name, tile);
    const width = this.width(level);
    this.source
      .fetch(level, index * width, (index + 1) * width - 1, controller.signal)
      .then((buffer) => this.arrive(tile, buffer))
      .catch(() => {
        // Aborted, or the network is away: a later draw that needs it asks again.
        this.failed.set(name, this.clock + REST_DRAWS);
        if (this.held.get(name) === tile) this.held.delete(name);
      });
  }

  private arrive(tile: Tile, buffer: ArrayBuffer): void {
    const { head, segment } = readBars(buffer, this.source.laneNumber);
    tile.controller = null;
    tile.lastSeq = head.last_seq;
    if (segment.count > TOO_MANY && tile.level < LEVELS) {
      this.dense.add(tile.key);
      this.held.delete(tile.key);
    } else tile.segment = segment;
    this.source.arrived();
  }

  private trim(): void {
    if (this.held.size <= KEPT_TILES) return;
    const oldest = [...this.held.values()].sort((a, b) => a.usedAt - b.usedAt);
    for (const tile of oldest.slice(0, this.held.size - KEPT_TILES)) {
      if (tile.usedAt === this.clock) return;
      tile.controller?.abort();
      this.held.delete(tile.key);
    }
  }
}

function key(level: number, index: number): string {
  return `${String(level)}/${String(index)}`;
}
