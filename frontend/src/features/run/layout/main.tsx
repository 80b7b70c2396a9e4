import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";

import { Tabs } from "@/components/tabs";

import type { MainView } from "../model/address";
import { Finder } from "../model/finder";
import { usePage, useRunPlace } from "../model/run-context";
import { EventTable } from "../table/event-table";
import { Transcript } from "../transcript/transcript";
import { useTranscript } from "../transcript/use-transcript";
import { FilterBar } from "./filter-bar";
import { usePageKeys } from "./use-page-keys";

/** The lower half: the transcript, or every event as a table, under the same filters. */
export function Main() {
  const { t } = useTranslation();
  const { session, page } = useRunPlace();
  const view = usePage((state) => state.view);
  const q = usePage((state) => state.q);
  const [finder] = useState(() => new Finder(session.store));
  const found = useSyncExternalStore(finder.watch, finder.snapshot);
  useEffect(() => finder.find(q), [finder, q]);
  const matches = useMemo(() => new Set(found.matches), [found]);
  const rows = useTranscript();
  usePageKeys(rows);
  return (
    <Tabs<MainView>
      label={t("trace.main.label")}
      tabs={[
        { name: "transcript", label: t("trace.main.transcript") },
        { name: "events", label: t("trace.main.events") },
      ]}
      value={view}
      onChange={(next) => page.setState({ view: next })}
      extra={<FilterBar found={found} />}
    >
      {view === "transcript" ? <Transcript rows={rows} matches={matches} /> : <EventTable matches={matches} />}
    </Tabs>
  );
}
