import type { Event } from "../../generated/events";

/** What the server sends over `/ws/live`. */
export type ServerMessage =
  | { type: "events"; run: string; events: Event[] }
  | { type: "jump"; run: string; from: number; to: number }
  | { type: "chunk"; run: string; span: number; offset: number; text: string }
  | { type: "runs"; changed: unknown[]; counts: Record<string, number> }
  | { type: "setup"; setup: unknown }
  | { type: "error"; message: string };

/** What the browser sends. */
export type ClientMessage =
  | { type: "follow"; run: string; after: number }
  | { type: "unfollow"; run: string }
  | { type: "runs" };

/** The message in a text frame, or null where it is none: a newer server may say more. */
export function parseMessage(data: unknown): ServerMessage | null {
  if (typeof data !== "string") return null;
  try {
    const message: unknown = JSON.parse(data);
    if (typeof message !== "object" || message === null || !("type" in message)) return null;
    return message as ServerMessage;
  } catch {
    return null;
  }
}
