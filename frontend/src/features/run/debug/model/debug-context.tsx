import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from "react";
import { useStore } from "zustand";

import { useRunPlace } from "../../model/run-context";
import { createDebugUi, type DebugDialog, type DebugUi, type DebugUiStore } from "./debug-ui";
import { Stepper } from "./stepper";

interface DebugPlace {
  ui: DebugUiStore;
  stepper: Stepper;
}

const DebugContext = createContext<DebugPlace | null>(null);

/** What the debugger marks everywhere in the run, however large it is. */
const MARKED = "edit.applied,breakpoint.hit,run.paused,run.resumed,fork.created";
const MOST_MARKED = 5_000;

/** Once round the Run page. */
export function DebugProvider({ children }: { children: ReactNode }) {
  const { session, page } = useRunPlace();
  const [ui] = useState(createDebugUi);
  const place = useMemo(() => ({ ui, stepper: new Stepper(session, page) }), [ui, session, page]);
  useEffect(() => {
    // A session that is held whole has them all.
    if (session.whole) return;
    session.query({ kinds: MARKED }, MOST_MARKED).catch(() => {
      // The marks then show what is loaded.
    });
  }, [session]);
  return <DebugContext value={place}>{children}</DebugContext>;
}

export function useDebug(): DebugPlace {
  const place = useContext(DebugContext);
  if (place === null) throw new Error("A part of the debugger stands outside of the run page.");
  return place;
}

export function useDebugUi<T>(select: (state: DebugUi) => T): T {
  return useStore(useDebug().ui, select);
}

/** Opens a dialog of the debugger, or closes it. */
export function useOpenDialog(): (dialog: DebugDialog | null) => void {
  const { ui } = useDebug();
  return (dialog) => ui.setState({ dialog, playing: false });
}
