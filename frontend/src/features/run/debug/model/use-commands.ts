import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { useErrorText } from "@/components/states";
import { toast } from "@/components/toast";
import { ApiError } from "@/lib/api/error";

import { useRunPlace } from "../../model/run-context";
import type { Holder } from "../api/debug-api";
import { useDebug } from "./debug-context";

/** Sends commands to the run one at a time; what the server refuses is said in the corner. */
export function useCommands(): { busy: boolean; send: (work: () => Promise<unknown>) => Promise<boolean> } {
  const { session } = useRunPlace();
  const { ui } = useDebug();
  const client = useQueryClient();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const send = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    try {
      await work();
      return true;
    } catch (error) {
      const holder = holderOf(error);
      if (holder !== null) ui.setState({ holder });
      toast({ text: errorText(error).message, mark: "error" });
      return false;
    } finally {
      setBusy(false);
      void client.invalidateQueries({ queryKey: ["run", session.runId, "row"] });
    }
  };
  return { busy, send };
}

/** Who holds the debugger, where that is why the server refused; else null. */
export function holderOf(error: unknown): Holder | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  const { holder } = error.extra;
  return typeof holder === "object" && holder !== null && "by" in holder ? (holder as Holder) : null;
}

/** The step that had acted on what was to be changed, where that is why the server refused; else null. */
export function actedOn(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  const { acted_on: seq } = error.extra;
  return typeof seq === "number" ? seq : null;
}
