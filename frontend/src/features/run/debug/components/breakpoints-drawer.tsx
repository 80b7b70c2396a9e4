import { useTranslation } from "react-i18next";

import { BreakpointsPanel } from "@/components/breakpoints/breakpoints-panel";
import { Dialog } from "@/components/dialog";
import { ErrorState } from "@/components/states";
import { freeId } from "@/lib/api/breakpoints";

import { useFromStore, useRunPlace } from "../../model/run-context";
import { useDebug, useOpenDialog } from "../model/debug-context";
import { breakpointAt } from "../model/first-breakpoint";
import { namesOf } from "../model/names";
import { useBreakpoints } from "../model/use-breakpoints";

/** The team's breakpoints over the run; `from` begins one at an event's step. */
export function BreakpointsDrawer({ from }: { from: number | null }) {
  const { t } = useTranslation();
  const { run, session } = useRunPlace();
  const { stepper } = useDebug();
  const open = useOpenDialog();
  const { breakpoints, unbound, teamId, error, loaded, save } = useBreakpoints();
  const { store } = session;
  useFromStore(() => store.hits.length);
  useFromStore(() => store.lanes.version);
  const hits = countHits(store);
  const { agents, tools } = namesOf(run.team, store);
  const event = from === null ? undefined : store.events.peek(from);
  return (
    <Dialog
      open
      onClose={() => open(null)}
      as="drawer"
      size="medium"
      title={t("debug.break.title")}
      description={teamId === null ? t("debug.break.about_run") : t("debug.break.about_team", { team: run.team_name })}
    >
      {error !== null && <ErrorState error={error} compact />}
      {loaded && (
        <BreakpointsPanel
          breakpoints={breakpoints}
          unbound={unbound}
          agents={agents}
          tools={tools}
          team={run.team_name}
          blank={() => breakpointAt(event, freeId(breakpoints))}
          startNew={from !== null}
          hits={hits}
          onHit={(id) => {
            stepper.go(nextHit(store, id, stepper.seq));
            open(null);
          }}
          save={save}
        />
      )}
    </Dialog>
  );
}

type Store = ReturnType<typeof useRunPlace>["session"]["store"];

function breakpointOf(store: Store, seq: number): string | null {
  const payload = store.events.peek(seq)?.payload;
  return payload?.kind === "breakpoint.hit" ? payload.breakpoint : null;
}

/** How often each fired in this run. */
function countHits(store: Store): Map<string, number> {
  const counts = new Map<string, number>();
  for (const seq of store.hits) {
    const id = breakpointOf(store, seq);
    if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** The next place where it fired; after the last one the first. */
function nextHit(store: Store, id: string, seq: number | null): number | null {
  const own = store.hits.filter((hit) => breakpointOf(store, hit) === id);
  return own.find((hit) => hit > (seq ?? -1)) ?? own[0] ?? null;
}
