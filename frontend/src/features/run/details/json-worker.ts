/** Fetches and indexes large JSON away from the page's thread. */
import { indexJson, type JsonLines } from "./json-lines";

export type JsonJob = { url: string } | { text: string };
export type JsonAnswer = { text: string; lines: JsonLines } | { error: string };

self.onmessage = async (message: MessageEvent<JsonJob>) => {
  try {
    const job = message.data;
    const text = "text" in job ? job.text : await load(job.url);
    const lines = indexJson(text);
    const answer: JsonAnswer = { text, lines };
    self.postMessage(answer, {
      transfer: [lines.start.buffer, lines.end.buffer, lines.depth.buffer, lines.closes.buffer],
    });
  } catch (reason) {
    const answer: JsonAnswer = { error: reason instanceof Error ? reason.message : String(reason) };
    self.postMessage(answer);
  }
};

async function load(url: string): Promise<string> {
  const response = await fetch(url, { headers: { Accept: "application/json" }, credentials: "same-origin" });
  const text = await response.text();
  if (!response.ok) throw new Error(`${String(response.status)} ${response.statusText}: ${text.slice(0, 300)}`);
  return text;
}
