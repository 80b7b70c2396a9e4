/** Unsaved edits, kept in the browser so that leaving the page loses nothing. */
import { useEffect, useRef, useState } from "react";

import type { TeamDefinition } from "@/lib/api/types";
import { forget, remember, remembered } from "@/lib/storage";

import { complete, same } from "./definition";

interface Kept {
  version: number;
  definition: TeamDefinition;
}

const isKept = (value: unknown): value is Kept =>
  typeof value === "object" && value !== null && "version" in value && "definition" in value;

const KEEP_MS = 400;

export interface Draft {
  team: TeamDefinition;
  /** The version that the edits began from. */
  version: number;
  dirty: boolean;
  /** Whether edits of an earlier visit were taken up. */
  restored: boolean;
  edit: (team: TeamDefinition) => void;
  /** Starts over from what is stored: after a save, or to throw the edits away. */
  reset: (saved: TeamDefinition, version: number) => void;
}

/** The edited definition of the team `id`, on top of the stored one. */
export function useDraft(id: string, stored: TeamDefinition, version: number): Draft {
  const key = `draft.team.${id}`;
  const [base, setBase] = useState({ definition: stored, version });
  const [kept] = useState(() => remembered<Kept | null>(key, null, (v): v is Kept | null => v === null || isKept(v)));
  const [team, setTeam] = useState(() => (kept === null ? stored : complete(kept.definition)));
  const [began, setBegan] = useState(kept?.version ?? version);
  const [restored, setRestored] = useState(kept !== null && !same(kept.definition, stored));
  const dirty = !same(team, base.definition);
  const latest = useRef({ dirty, team, began });

  // Nothing edited here and a newer version there: show it.
  useEffect(() => {
    if (dirty || version <= base.version) return;
    setBase({ definition: stored, version });
    setTeam(stored);
    setBegan(version);
  }, [dirty, stored, version, base.version]);

  useEffect(() => {
    latest.current = { dirty, team, began };
    const timer = window.setTimeout(() => keep(key, dirty, began, team), KEEP_MS);
    return () => window.clearTimeout(timer);
  }, [key, dirty, began, team]);

  // The timer may be under way when the page is left.
  useEffect(() => {
    const flush = () => keep(key, latest.current.dirty, latest.current.began, latest.current.team);
    window.addEventListener("pagehide", flush);
    return () => {
      window.removeEventListener("pagehide", flush);
      flush();
    };
  }, [key]);

  return {
    team,
    version: began,
    dirty,
    restored: restored && dirty,
    edit: setTeam,
    reset: (saved, savedVersion) => {
      latest.current = { dirty: false, team: saved, began: savedVersion };
      setBase({ definition: saved, version: savedVersion });
      setTeam(saved);
      setBegan(savedVersion);
      setRestored(false);
      forget(key);
    },
  };
}

function keep(key: string, dirty: boolean, version: number, definition: TeamDefinition): void {
  if (dirty) remember(key, { version, definition });
  else forget(key);
}
