/** Fetches and indexes large JSON away from the page's thread. */
import { indexJson, type JsonLines } from "./json-lines";

export type JsonJob = { url: string } | { text: string };
export type JsonAnswer = { text: string; lines: JsonLines } | Refused;
/** The server's refusal, to be told as any other; status 0 where it did not answer. */
export interface Refused {
  status: number;
  statusText: string;
  body: string;
}

self.onmessage = async (message: MessageEvent<JsonJob>) => {
  try {
    const job = message.data;
    const text = "text" in job ? job.text : await load(job.url);
    if (typeof text !== "string") {
      self.postMessage(text);
      return;
    }
    const lines = indexJson(text);
    const answer: JsonAnswer = { text, lines };
    self.postMessage(answer, {
      transfer: [lines.start.buffer, lines.end.buffer, lines.depth.buffer, lines.closes.buffer],
    });
  } catch (reason) {
    const answer: JsonAnswer = { status: 0, statusText: "", body: String(reason) };
    self.postMessage(answer);
  }
};

async function load(url: string): Promise<string | Refused> {
  const response = await fetch(url, { headers: { Accept: "application/json" }, credentials: "same-origin" });
  const text = await response.text();
  return response.ok ? text : { status: response.status, statusText: response.statusText, body: text };
}
