import type { RecordedTeam } from "@/lib/api/types";
import type { EventStore } from "@/lib/events/event-store";

/** The agents and tools of a run: as its team names them, and as its events do. */
export function namesOf(team: RecordedTeam, store: EventStore): { agents: string[]; tools: string[] } {
  const agents = new Set((team.agents ?? []).map(({ name }) => name));
  const tools = new Set((team.agents ?? []).flatMap((agent) => agent.tools ?? []));
  for (const number of store.lanes.order) {
    const lane = store.lanes.get(number);
    if (lane === undefined) continue;
    if (lane.parent >= 0) tools.add(lane.label);
    else if (lane.name !== "supervisor" && !lane.name.startsWith("person:")) agents.add(lane.name);
  }
  return { agents: [...agents], tools: [...tools].sort() };
}
