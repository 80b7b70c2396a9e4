import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

import { ApiError } from "@/lib/api/error";

import { trials, type Outcome, type Trial } from "../api/tools";

/** Calls in one scratch folder, so that files and sessions of one call are there for the next. */
export function useTrial() {
  const scratch = useRef("");

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
    if (scratch.current !== "") void trials.cancel(scratch.current).catch(() => undefined);
  };
  const clear = () => {
    if (scratch.current !== "") void trials.close(scratch.current).catch(() => undefined);
    scratch.current = "";
    call.reset();
  };
  return { call, cancel, clear };
}
