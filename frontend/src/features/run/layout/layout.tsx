import { useEffect, useMemo } from "react";

import { Split } from "@/components/split";

import { runApi } from "../api/run-api";
import { AskedBanner } from "../debug/components/asked-banner";
import { DebugDialogs } from "../debug/components/debug-dialogs";
import { ForkNotice } from "../debug/components/fork-notice";
import { PausedBanner } from "../debug/components/paused-banner";
import { Playbar } from "../debug/components/playbar";
import { useDebugKeys } from "../debug/model/use-debug-keys";
import { Inspector } from "../details/inspector";
import { Counts } from "../head/counts";
import { Notices } from "../head/notices";
import { Question } from "../head/question";
import { layoutLanes } from "../timeline/lane-layout";
import { Minimap } from "../timeline/minimap";
import { Timeline } from "../timeline/timeline";
import { RULER_HEIGHT } from "../timeline/timeline-renderer";
import { Tiles } from "../timeline/tiles";
import { usePage, useRunPlace } from "../model/run-context";
import styles from "./layout.module.css";
import { Main } from "./main";
import { Sheet } from "./sheet";

/** Where the parts of the page stand, on a desk and on a phone. */
export function Layout() {
  const { session, narrow } = useRunPlace();
  const seq = usePage((state) => state.seq);
  const tiles = useTiles();
  useDebugKeys();
  useEffect(() => {
    // The surroundings of what is selected, for its row and for those round it.
    if (seq !== null) session.ensure(seq - 100, seq + 100);
  }, [session, seq]);
  const head = (
    <>
      <Notices />
      <ForkNotice />
      <PausedBanner />
      <AskedBanner />
      <Question />
      <Counts />
    </>
  );
  if (narrow) {
    return (
      <div className={styles["page"]}>
        {head}
        <div className={styles["strip"]}><Timeline tiles={tiles} compact /></div>
        <Main />
        <Playbar />
        <Sheet><Inspector /></Sheet>
      </div>
    );
  }
  const { height } = layoutLanes(session.store.lanes, false);
  const initial = Math.min(Math.max(height + RULER_HEIGHT + 6, 190), Math.round(window.innerHeight * 0.36));
  return (
    <div className={styles["page"]}>
      {head}
      <div className={styles["body"]}>
        <Split
          name="run.inspector"
          initial={400}
          min={300}
          keep={480}
          first={
            <div className={styles["left"]}>
              <div className={styles["mini"]}>
                <span className={styles["miniName"]} />
                <Minimap tiles={tiles} />
              </div>
              <Split name="run.timeline" direction="column" sized="first" initial={initial} min={96} keep={160} first={<Timeline tiles={tiles} />} second={<Main />} />
            </div>
          }
          second={<Inspector />}
        />
      </div>
      <Playbar />
      <DebugDialogs />
    </div>
  );
}

/** The tiles of this run, shared by timeline and minimap. */
function useTiles(): Tiles {
  const { session } = useRunPlace();
  const tiles = useMemo(
    () =>
      new Tiles({
        fetch: (level, start, end, signal) => runApi.bars(session.runId, level, start, end, signal),
        laneNumber: (name) => session.store.lanes.number(name),
        arrived: () => session.store.commit(),
      }),
    [session],
  );
  useEffect(() => () => tiles.dispose(), [tiles]);
  return tiles;
}
