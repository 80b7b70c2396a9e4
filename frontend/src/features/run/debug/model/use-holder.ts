import { useQuery } from "@tanstack/react-query";

import { useNow } from "@/components/values";
import { sessionQuery } from "@/lib/api/queries";

import { useRunPlace } from "../../model/run-context";
import type { Holder } from "../api/debug-api";
import { useDebugUi } from "./debug-context";

interface HolderView {
  /** null while nobody holds it: then whoever commands it does. */
  holder: Holder | null;
  mine: boolean;
  /** Another holds it: commands would be refused. */
  blocked: boolean;
}

/** Who holds the debugger now; a hold ends by itself when its time is over. */
export function useHolder(): HolderView {
  const { run } = useRunPlace();
  const told = useDebugUi((state) => state.holder);
  const now = useNow();
  const user = useQuery(sessionQuery).data?.user?.username;
  const newest = newer(told, run.debugger);
  const holder = newest !== null && newest.until > now ? newest : null;
  const mine = holder !== null && holder.by === user;
  return { holder, mine, blocked: holder !== null && !mine };
}

/** What was told last: by a command's answer, or by the run's row. */
function newer(told: Holder | null | undefined, row: Holder | null | undefined): Holder | null {
  if (told === undefined) return row ?? null;
  if (told === null || row === null || row === undefined) return told;
  return told.until >= row.until ? told : row;
}
