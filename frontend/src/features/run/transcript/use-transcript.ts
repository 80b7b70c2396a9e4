import { useMemo } from "react";

import { usePage, useRunPlace, useStoreVersion } from "../model/run-context";
import { transcriptRows, type TranscriptRow } from "./transcript-index";

const COARSE = 20_000;

/** The rows of the transcript under the page's filters, made anew once a commit. */
export function useTranscript(): TranscriptRow[] {
  const { session } = useRunPlace();
  const version = useStoreVersion();
  const lane = usePage((state) => state.lane);
  const kind = usePage((state) => state.kind);
  // Rows are cut round the selection only in huge runs, and then not at every step.
  const around = usePage((state) => (state.seq === null ? null : Math.floor(state.seq / COARSE) * COARSE));
  return useMemo(
    () => transcriptRows(session.store, { lane, kind }, around),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the store changes in place; its version tells
    [session, lane, kind, around, version],
  );
}
