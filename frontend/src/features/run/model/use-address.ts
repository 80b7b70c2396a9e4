import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";

import { readAddress, writeAddress } from "./address";
import type { PageStore } from "./page-state";

/** Browsers refuse more than about 100 changes of the address in 30 s. */
const WAIT_MS = 400;

/** Keeps the page's state in the address, and takes it from there when a link leads here again. */
export function useAddress(page: PageStore): void {
  const navigate = useNavigate();
  const { search } = useLocation();
  const written = useRef(search);

  useEffect(() => {
    if (search === written.current) return;
    written.current = search;
    page.setState({ ...readAddress(new URLSearchParams(search)), follow: false });
  }, [search, page]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const write = () => {
      timer = null;
      const next = writeAddress(page.getState());
      if (next === written.current) return;
      written.current = next;
      void navigate({ search: next }, { replace: true, preventScrollReset: true });
    };
    const stop = page.subscribe(() => {
      // A live view that sticks to the end moves by itself: that is no place to remember.
      if (page.getState().follow && page.getState().window !== null) return;
      timer ??= setTimeout(write, WAIT_MS);
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [page, navigate]);
}
