import { createContext, useContext, useSyncExternalStore } from "react";
import { useStore } from "zustand";

import type { RunDetail } from "@/lib/api/types";

import type { PageState, PageStore } from "./page-state";
import type { RunSession } from "./run-session";

/** What every part of the page needs. */
export interface RunPlace {
  session: RunSession;
  page: PageStore;
  run: RunDetail;
  /** Whether the run goes on: open spans grow, and the end can be followed. */
  live: boolean;
  narrow: boolean;
}

export const RunContext = createContext<RunPlace | null>(null);

export function useRunPlace(): RunPlace {
  const place = useContext(RunContext);
  if (place === null) throw new Error("A part of the run page stands outside of it.");
  return place;
}

/** A part of the page's state; the caller renders again only when that part changes. */
export function usePage<T>(select: (state: PageState) => T): T {
  return useStore(useRunPlace().page, select);
}

/** Grows with each commit of the store: once an animation frame at most. */
export function useStoreVersion(): number {
  const { store } = useRunPlace().session;
  return useSyncExternalStore(store.watch, store.snapshot);
}

/** Something read from the store; the caller renders again only when it changes. */
export function useFromStore<T extends string | number | boolean | null>(read: (session: RunSession) => T): T {
  const { session } = useRunPlace();
  return useSyncExternalStore(session.store.watch, () => read(session));
}
