import type { FileLink } from "@/components/attachments";
import type { Event } from "@/generated/events";
import { address } from "@/lib/api/client";

/** Where a file of an event is fetched. */
export function fileAddress(runId: string, seq: number, number: number): string {
  return address(`/runs/${runId}/files/${String(seq)}/${String(number)}`);
}

/** The pictures and files that an event names. An imported run may hold anything there. */
export function filesOf(runId: string, event: Event): FileLink[] {
  const payload = event.payload;
  let named: unknown;
  if (payload.kind === "tool.returned") named = payload.attachments;
  else if (payload.kind === "environment.observed") named = (payload.observation as { attachments?: unknown } | null)?.attachments;
  if (!Array.isArray(named)) return [];
  return named.map((each: unknown, number) => {
    const file = (typeof each === "object" && each !== null ? each : {}) as Record<string, unknown>;
    return {
      name: typeof file["name"] === "string" ? file["name"] : "file",
      media_type: typeof file["media_type"] === "string" ? file["media_type"] : "",
      size: typeof file["size"] === "number" ? file["size"] : 0,
      url: fileAddress(runId, event.seq, number),
    };
  });
}
