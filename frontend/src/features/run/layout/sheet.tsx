import { useEffect, type ReactNode } from "react";

import { select } from "../model/page-state";
import { usePage, useRunPlace } from "../model/run-context";
import styles from "./layout.module.css";

/** Details on a phone: a sheet from below over the transcript. */
export function Sheet({ children }: { children: ReactNode }) {
  const { page } = useRunPlace();
  const open = usePage((state) => state.sheet && state.seq !== null);
  useEffect(() => {
    if (!open) return;
    const close = (event: KeyboardEvent) => {
      if (event.key === "Escape") select(page, null);
    };
    window.addEventListener("keydown", close);
    return () => window.removeEventListener("keydown", close);
  }, [open, page]);
  if (!open) return null;
  return (
    <>
      <div className={styles["scrim"]} onClick={() => select(page, null)} aria-hidden />
      <div className={styles["sheet"]} role="dialog" aria-modal>{children}</div>
    </>
  );
}
