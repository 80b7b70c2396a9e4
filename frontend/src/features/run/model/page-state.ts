import { createStore, type StoreApi } from "zustand/vanilla";

import type { TimeView } from "../timeline/time-view";
import { readAddress, type AddressState } from "./address";

/** The page's one state; every view reads it and changes it, and most of it is in the address. */
export interface PageState extends AddressState {
  /** Keep the end of a live run in sight. */
  follow: boolean;
  /** What the pointer is over, in any view. */
  hover: number | null;
  /** Whether the inspector is open on a narrow screen. */
  sheet: boolean;
}

export type PageStore = StoreApi<PageState>;

/** The state that an address describes. An address with a place in it does not follow the end. */
export function createPageState(search: string): PageStore {
  const address = readAddress(new URLSearchParams(search));
  return createStore<PageState>(() => ({
    ...address,
    follow: address.seq === null && address.window === null,
    hover: null,
    sheet: false,
  }));
}

/** Select an event. The other views follow; what is live goes on, but out of sight. */
export function select(page: PageStore, seq: number | null, sheet = false): void {
  page.setState((state) => ({
    seq,
    follow: seq === null ? state.follow : false,
    sheet: sheet || (state.sheet && seq !== null),
  }));
}

/** Show another part of the run; null shows all of it. */
export function look(page: PageStore, window: TimeView | null): void {
  page.setState({ window, follow: false });
}
