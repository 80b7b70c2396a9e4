import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import { ApiError } from "@/lib/api/error";

import { episodes, type Episode } from "../api/environments";

interface Held {
  episode: Episode;
  /** When the server was last asked, in ms: its idle time counts from there. */
  at: number;
}

export interface Acting {
  episode: Episode | null;
  /** When it is closed if nobody does anything, in ms since the epoch. */
  until: number;
  busy: boolean;
  error: unknown;
  begin: (task: string) => void;
  act: (work: (id: string) => Promise<Episode>, done?: () => void) => void;
  close: () => void;
}

/** One episode of this page; it ends with the page, whichever way that is left. */
export function useEpisode(): Acting {
  const [held, setHeld] = useState<Held | null>(null);
  const open = useRef("");
  const gone = useRef(false);

  useEffect(() => {
    gone.current = false;
    const leave = () => {
      if (open.current !== "") void episodes.close(open.current).catch(() => undefined);
      open.current = "";
    };
    const left = () => {
      leave();
      setHeld(null);
    };
    window.addEventListener("pagehide", left);
    return () => {
      gone.current = true;
      window.removeEventListener("pagehide", left);
      leave();
    };
  }, []);

  const take = (episode: Episode): void => {
    if (gone.current) {
      // The page was left while the world was being made.
      void episodes.close(episode.id).catch(() => undefined);
      return;
    }
    open.current = episode.id;
    setHeld({ episode, at: Date.now() });
  };
  const work = useMutation<Episode, unknown, () => Promise<Episode>>({
    mutationFn: (does) => does(),
    onSuccess: take,
    onError: (error) => {
      if (!(error instanceof ApiError) || error.status !== 404) return;
      open.current = "";
      setHeld(null);
    },
  });
  return {
    episode: held?.episode ?? null,
    until: held === null ? 0 : held.at + (held.episode.idle_limit_s - held.episode.idle_s) * 1000,
    busy: work.isPending,
    error: work.error,
    begin: (task) => work.mutate(() => episodes.open(task)),
    act: (does, done) => {
      const id = open.current;
      if (id !== "" && !work.isPending) work.mutate(() => does(id), { ...(done !== undefined && { onSuccess: done }) });
    },
    close: () => {
      if (open.current !== "") void episodes.close(open.current).catch(() => undefined);
      open.current = "";
      setHeld(null);
      work.reset();
    },
  };
}
