import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Outlet, useLocation, useNavigate } from "react-router";

import { PageBarPlace } from "@/components/page-bar";
import { SkeletonRows } from "@/components/states";
import { Toaster } from "@/components/toast";
import { ApiError } from "@/lib/api/error";
import { liveCache } from "@/lib/api/live-cache";
import { runsQuery, sessionQuery } from "@/lib/api/queries";
import { useHotkeys } from "@/lib/hotkeys";
import { liveSocket } from "@/lib/live";

import { Help } from "./help";
import { LoggedOut } from "./logged-out";
import { useOverlays } from "./overlays";
import { PAGES } from "./pages";
import { Palette } from "./palette/palette";
import { Rail } from "./rail";
import { SetupStrip } from "./setup-strip";
import styles from "./shell.module.css";
import { TopBar } from "./top-bar";

function useShellKeys(): void {
  const navigate = useNavigate();
  const { showPalette, showHelp } = useOverlays();
  useHotkeys([
    { keys: "mod+k", label: "shell.search", group: "shell.keys.everywhere", inFields: true, run: showPalette },
    { keys: "?", label: "shell.keys", group: "shell.keys.everywhere", run: showHelp },
    ...PAGES.map(({ keys, label, path }) => ({ keys, label, group: "shell.keys.go", run: () => void navigate(path) })),
  ]);
}

function useLive(): void {
  const client = useQueryClient();
  useEffect(() => liveSocket().listen(liveCache(client)), [client]);
}

/** How many runs are going, for the rail. */
function useRunningCount(loggedIn: boolean): number {
  const { data } = useQuery({ ...runsQuery({ limit: 1, order: "newest" }), enabled: loggedIn });
  return data?.counts.running ?? 0;
}

/** The frame round every page: rail, bar, set-up strip, overlays, toasts. */
export function Shell() {
  const { t } = useTranslation();
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const { open, showPalette, close } = useOverlays();
  const session = useQuery(sessionQuery);
  const { pathname } = useLocation();
  useShellKeys();
  useLive();

  const loggedOut =
    session.data?.user === null || (session.error instanceof ApiError && [401, 403].includes(session.error.status));
  const running = useRunningCount(session.data !== undefined && !loggedOut);
  const counts = useMemo(() => ({ "/runs": running }), [running]);

  return (
    <div className={styles["shell"]}>
      <a href="#page" className={styles["skip"]}>{t("shell.skip")}</a>
      <Rail counts={counts} />
      <div className={styles["column"]}>
        <TopBar place={setBar} onSearch={showPalette} />
        <SetupStrip setup={session.data?.setup} />
        <main id="page" className={styles["page"]} tabIndex={-1} key={pathname.split("/")[1]}>
          {loggedOut ? (
            <LoggedOut />
          ) : (
            <PageBarPlace value={bar}>
              <Suspense fallback={<SkeletonRows rows={8} />}>
                <Outlet />
              </Suspense>
            </PageBarPlace>
          )}
        </main>
      </div>
      <Palette open={open === "palette"} onClose={close} />
      <Help open={open === "help"} onClose={close} />
      <Toaster />
    </div>
  );
}
