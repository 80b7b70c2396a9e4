import { Boxes, Cpu, Globe, House, ListChecks, Rows3, Settings, Wrench, type LucideIcon } from "lucide-react";

export interface Page {
  path: string;
  /** Translation key. */
  label: string;
  icon: LucideIcon;
  keys: string;
}

/** The rail, in order. A page is added here when it exists. */
export const PAGES: Page[] = [
  { path: "/", label: "shell.home", icon: House, keys: "g h" },
  { path: "/runs", label: "shell.runs", icon: Rows3, keys: "g r" },
  { path: "/teams", label: "shell.teams", icon: Boxes, keys: "g t" },
  { path: "/tasks", label: "shell.tasks", icon: ListChecks, keys: "g k" },
  { path: "/tools", label: "shell.tools", icon: Wrench, keys: "g o" },
  { path: "/environments", label: "shell.environments", icon: Globe, keys: "g e" },
  { path: "/workers", label: "shell.workers", icon: Cpu, keys: "g w" },
  { path: "/settings", label: "shell.settings", icon: Settings, keys: "g s" },
];
