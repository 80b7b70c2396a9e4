import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Boxes, Keyboard, Languages, MoonStar, Rows3, TextSearch } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";

import { StatusMark } from "@/components/status-mark";
import { api } from "@/lib/api/client";
import { runsQuery, teamsQuery } from "@/lib/api/queries";
import type { Hit } from "@/lib/api/types";
import { shortId } from "@/lib/format";
import { setLanguage } from "@/lib/i18n";
import { useTheme } from "@/lib/theme";

import { useOverlays } from "../overlays";
import { PAGES } from "../pages";
import { matches } from "./matches";

export interface PaletteItem {
  id: string;
  /** Translation key of the heading. */
  group: string;
  label: string;
  detail?: string;
  icon: ReactNode;
  keys?: string;
  run: () => void;
}

/** The text as it was `ms` ago, so that typing does not ask the server at each letter. */
function useSettled(text: string, ms: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), ms);
    return () => window.clearTimeout(timer);
  }, [text, ms]);
  return settled;
}

function useFixedItems(): PaletteItem[] {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const { dark, setTheme } = useTheme();
  const showHelp = useOverlays((state) => state.showHelp);
  const pages = PAGES.map(
    ({ path, label, icon: Icon, keys }): PaletteItem => ({
      id: path,
      group: "shell.palette.pages",
      label: t(label),
      icon: <Icon size={15} />,
      keys,
      run: () => void navigate(path),
    }),
  );
  const group = "shell.palette.actions";
  const other = i18n.language === "zh" ? "en" : "zh";
  return [
    ...pages,
    { id: "theme", group, label: t(dark ? "shell.to_light" : "shell.to_dark"), icon: <MoonStar size={15} />, run: () => setTheme(dark ? "light" : "dark") },
    { id: "language", group, label: other === "zh" ? "切换到中文" : "Switch to English", icon: <Languages size={15} />, run: () => void setLanguage(other) },
    { id: "keys", group, label: t("shell.keys"), icon: <Keyboard size={15} />, keys: "?", run: showHelp },
  ];
}

/** What the palette offers for a text, and whether the server is still being asked. */
export function usePaletteItems(text: string): { items: PaletteItem[]; searching: boolean; indexed: boolean } {
  const navigate = useNavigate();
  const fixed = useFixedItems();
  const settled = useSettled(text.trim(), 150);
  const asked = settled.length > 0;
  const teams = useQuery(teamsQuery);
  const runs = useQuery({ ...runsQuery({ text: settled, order: "newest", limit: 6 }), refetchInterval: false as const });
  const hits = useQuery({
    queryKey: ["search", settled],
    queryFn: ({ signal }) => api.get<{ hits: Hit[]; indexed: boolean }>("/search", { q: settled }, signal),
    enabled: asked,
    placeholderData: keepPreviousData,
  });

  const items: PaletteItem[] = fixed.filter((item) => matches(item.label, text));
  for (const team of teams.data ?? []) {
    if (!asked || !matches(team.name, text)) continue;
    items.push({ id: `team-${team.id}`, group: "shell.teams", label: team.name, detail: team.description, icon: <Boxes size={15} />, run: () => void navigate(`/teams/${team.id}`) });
  }
  for (const run of runs.data?.runs ?? []) {
    items.push({
      id: `run-${run.run_id}`,
      group: asked ? "shell.runs" : "shell.palette.recent",
      label: run.input,
      detail: `${run.team_name} · ${shortId(run.run_id)}`,
      icon: asked ? <Rows3 size={15} /> : <StatusMark status={run.status} word={false} />,
      run: () => void navigate(`/runs/${run.run_id}`),
    });
  }
  for (const hit of asked ? (hits.data?.hits ?? []).slice(0, 12) : []) {
    items.push({
      id: `hit-${hit.run_id}-${String(hit.seq)}`,
      group: "shell.palette.hits",
      label: hit.snippet,
      detail: `${hit.actor} · ${hit.kind} · ${shortId(hit.run_id)}`,
      icon: <TextSearch size={15} />,
      run: () => void navigate(`/runs/${hit.run_id}?seq=${String(hit.seq)}`),
    });
  }
  return { items, searching: runs.isFetching || hits.isFetching, indexed: !asked || hits.data?.indexed !== false };
}
