import type { NodeState, RunState } from "../api/debug-api";

/** What is new of a node since the step before. */
export interface NodeNews {
  /** Messages that were not in its context, or read otherwise. */
  messages: ReadonlySet<number>;
  /** Messages that were in its context and are not any more. */
  dropped: number;
  fields: ReadonlySet<string>;
  phase: boolean;
  any: boolean;
}

/** Compares a node with itself a step earlier; without that, the server's list of fields counts. */
export function nodeNews(node: NodeState, before: NodeState | undefined): NodeNews {
  const fields = new Set(node.changed);
  const messages = new Set<number>();
  let dropped = 0;
  if (before !== undefined) {
    const old = new Map(before.messages.map((message) => [message.seq, message.content]));
    // Only what both lists reach back to: both hold the last messages of a longer context.
    const oldest = before.messages[0]?.seq ?? -1;
    for (const { seq, content } of node.messages) if (seq >= oldest && old.get(seq) !== content) messages.add(seq);
    const now = new Set(node.messages.map(({ seq }) => seq));
    const reach = node.messages[0]?.seq ?? Infinity;
    dropped = before.messages.filter(({ seq }) => seq >= reach && !now.has(seq)).length;
  }
  const phase = before !== undefined ? before.phase !== node.phase : fields.has("phase");
  const came = before !== undefined && before.present !== node.present;
  return { messages, dropped, fields, phase, any: fields.size > 0 || messages.size > 0 || dropped > 0 || phase || came };
}

/** The same node in another state. */
export function sameNode(state: RunState | undefined, name: string): NodeState | undefined {
  return state?.nodes.find((node) => node.name === name);
}

/** How full a budget is, 0 to 1; null where nothing limits it. */
export function share({ used, limit }: { used: number; limit: number | null }): number | null {
  return limit === null || limit <= 0 ? null : Math.min(1, used / limit);
}
