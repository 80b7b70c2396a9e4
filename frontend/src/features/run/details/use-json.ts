import { useEffect, useMemo, useState } from "react";

import { ApiError, parseError } from "@/lib/api/error";

import { indexJson, type JsonLines } from "./json-lines";
import type { JsonAnswer, JsonJob } from "./json-worker";

/** Text with its lines; `null` while a worker is at it. */
export type JsonState = { text: Uint8Array; lines: JsonLines } | { error: ApiError } | null;

/** Text up to this many characters is indexed at once. */
const AT_ONCE = 100_000;

function indexed(text: string): { text: Uint8Array; lines: JsonLines } {
  const encoded = new TextEncoder().encode(text);
  return { text: encoded, lines: indexJson(encoded) };
}

/** JSON to show: given as text, or as an address from which a worker fetches it. */
export function useJson(job: JsonJob): JsonState {
  const text = "text" in job ? job.text : null;
  const url = "url" in job ? job.url : null;
  const small = useMemo(
    () => (text !== null && text.length <= AT_ONCE ? indexed(text) : null),
    [text],
  );
  const [large, setLarge] = useState<{ of: string | null; answer: JsonAnswer } | null>(null);
  const of = url ?? text;
  useEffect(() => {
    if (small !== null) return;
    const worker = new Worker(new URL("./json-worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<JsonAnswer>) => setLarge({ of, answer: data });
    worker.onerror = (event) => setLarge({ of, answer: { status: 0, statusText: "", body: event.message } });
    const order: JsonJob = url !== null ? { url } : { text: text ?? "" };
    worker.postMessage(order);
    return () => worker.terminate();
  }, [small, of, url, text]);
  if (small !== null) return small;
  if (large === null || large.of !== of) return null;
  const { answer } = large;
  if ("lines" in answer) return answer;
  return { error: answer.status === 0 ? new ApiError("unreachable", 0, {}, answer.body) : parseError(answer.status, answer.statusText, answer.body) };
}
