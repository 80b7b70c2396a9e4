/** Fetches and indexes large JSON away from the page's thread. */
import { indexJson, type JsonLines } from "./json-lines";

export type JsonJob = { url: string } | { text: string };
export type JsonAnswer = { text: Uint8Array; lines: JsonLines } | Refused;
/** The server's refusal, to be told as any other; status 0 where it did not answer. */
export interface Refused {
  status: number;
  statusText: string;
  body: string;
}

self.onmessage = async (message: MessageEvent<JsonJob>) => {
  try {
    const job = message.data;
    const text = "text" in job ? new TextEncoder().encode(job.text) : await load(job.url);
    if (!(text instanceof Uint8Array)) {
      self.postMessage(text);
      return;
    }
    const lines = indexJson(text);
    const answer: JsonAnswer = { text, lines };
    self.postMessage(answer, {
      transfer: [text.buffer, lines.start.buffer, lines.end.buffer, lines.depth.buffer, lines.closes.buffer],
    });
  } catch (reason) {
    const answer: JsonAnswer = { status: 0, statusText: "", body: String(reason) };
    self.postMessage(answer);
  }
};

async function load(url: string): Promise<Uint8Array<ArrayBuffer> | Refused> {
  const response = await fetch(url, { headers: { Accept: "application/json" }, credentials: "same-origin" });
  if (response.ok) return new Uint8Array(await response.arrayBuffer());
  return { status: response.status, statusText: response.statusText, body: await response.text() };
}
