import { useSyncExternalStore } from "react";

const query = typeof window === "undefined" ? null : window.matchMedia("(width < 720px)");

/** Whether the window is a phone's: the transcript comes first, details open as a sheet. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (run) => {
      query?.addEventListener("change", run);
      return () => query?.removeEventListener("change", run);
    },
    () => query?.matches ?? false,
  );
}
