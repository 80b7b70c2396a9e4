import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

import { ApiError } from "@/lib/api/error";

import { trials, type Outcome, type Trial } from "../api/tools";

/** So often it is said that a call is to end: the first time it may not have reached the server. */
const AGAIN_MS = 400;

/** Calls in one scratch folder, so that files and sessions of one call are there for the next. */
export function useTrial() {
  const scratch = useRef("");
  const stopping = useRef(false);

  useEffect(() => {
    const leave = () => {
      if (scratch.current !== "") void trials.close(scratch.current).catch(() => undefined);
      scratch.current = "";
    };
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, []);

  const call = useMutation<Outcome, unknown, Trial>({
    onSettled: () => {
      stopping.current = false;
    },
    mutationFn: async (trial) => {
      if (scratch.current === "") scratch.current = (await trials.open()).id;
      try {
        return await trials.call(scratch.current, trial);
      } catch (error) {
        // It was idle for too long, or the server began anew.
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
        scratch.current = (await trials.open()).id;
        return trials.call(scratch.current, trial);
      }
    },
  });
  const cancel = () => {
    if (stopping.current) return;
    stopping.current = true;
    const end = () => {
      if (!stopping.current) return;
      if (scratch.current !== "") void trials.cancel(scratch.current).catch(() => undefined);
      window.setTimeout(end, AGAIN_MS);
    };
    end();
  };
  const clear = () => {
    if (scratch.current !== "") void trials.close(scratch.current).catch(() => undefined);
    scratch.current = "";
    call.reset();
  };
  return { call, cancel, clear };
}
