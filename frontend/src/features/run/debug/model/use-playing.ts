import { useEffect } from "react";

import { useRunPlace } from "../../model/run-context";
import { useDebug, useDebugUi } from "./debug-context";
import { restMs } from "./playback";

/** Moves the playhead on while it plays: in the run's own time, long silences squeezed. */
export function usePlaying(): void {
  const { session, page } = useRunPlace();
  const { ui, stepper } = useDebug();
  const playing = useDebugUi((state) => state.playing);
  useEffect(() => {
    if (!playing) return;
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const { store } = session;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let expected = stepper.seq;
    if (expected !== null && stepper.neighbour(1) === null) {
      stepper.first();
      expected = stepper.seq;
    }
    const plan = () => {
      const next = stepper.neighbour(1);
      if (next === null) {
        ui.setState({ playing: false });
        return;
      }
      const rest = expected === null ? 0 : restMs(store.at(expected), store.at(next), ui.getState().speed, calm);
      timer = setTimeout(() => {
        expected = next;
        stepper.go(next);
        plan();
      }, rest);
    };
    // Whoever moves the playhead by hand plays on from there no more.
    const stop = page.subscribe(({ seq }) => {
      if (seq !== expected) ui.setState({ playing: false });
    });
    plan();
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [playing, session, page, ui, stepper]);
}
