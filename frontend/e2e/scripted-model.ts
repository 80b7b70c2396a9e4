import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface ChatMessage {
  role: string;
  content: string | null;
}

/** What the model says: text, and tools that it calls with these arguments. */
export interface Reply {
  text: string;
  calls?: { name: string; arguments: Record<string, unknown> }[];
}

/** An OpenAI-compatible server on this machine that says what the test wrote. */
export class ScriptedModel {
  private readonly server: Server;

  constructor(private readonly reply: (messages: ChatMessage[]) => Reply) {
    this.server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8");
      request.on("data", (piece: string) => {
        body += piece;
      });
      request.on("end", () => {
        if (request.method === "GET") {
          response.setHeader("Content-Type", "application/json").end(JSON.stringify({ object: "list", data: [{ id: "scripted-1", object: "model" }] }));
          return;
        }
        const asked = JSON.parse(body) as { messages: ChatMessage[]; stream?: boolean };
        const answer = this.reply(asked.messages);
        if (asked.stream === true) response.setHeader("Content-Type", "text/event-stream").end(streamed(answer));
        else response.setHeader("Content-Type", "application/json").end(JSON.stringify(whole(answer)));
      });
    });
  }

  /** Begins to listen; the base URL for a model connection. */
  async start(): Promise<string> {
    await new Promise<void>((started) => this.server.listen(0, "127.0.0.1", started));
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}/v1`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((stopped) => this.server.close(stopped));
  }
}

const USAGE = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };

function toolCalls({ calls = [] }: Reply) {
  return calls.map(({ name, arguments: given }, index) => ({
    index,
    id: `call-${String(index)}`,
    type: "function",
    function: { name, arguments: JSON.stringify(given) },
  }));
}

function reason(reply: Reply): string {
  return (reply.calls ?? []).length > 0 ? "tool_calls" : "stop";
}

function whole(reply: Reply) {
  const message = { role: "assistant", content: reply.text, tool_calls: toolCalls(reply) };
  return { id: "c", object: "chat.completion", created: 0, model: "scripted-1", usage: USAGE, choices: [{ index: 0, message, finish_reason: reason(reply) }] };
}

function streamed(reply: Reply): string {
  const chunk = (delta: object, finish: string | null = null, usage?: object) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "scripted-1", choices: usage === undefined ? [{ index: 0, delta, finish_reason: finish }] : [], usage })}\n\n`;
  return [
    chunk({ role: "assistant", content: reply.text }),
    ...toolCalls(reply).map((call) => chunk({ tool_calls: [call] })),
    chunk({}, reason(reply)),
    chunk({}, null, USAGE),
    "data: [DONE]\n\n",
  ].join("");
}
