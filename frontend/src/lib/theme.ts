/** Dark, light, or as the system has it. `public/theme.js` applies the same rule before paint. */
import { create } from "zustand";

import { remember, remembered } from "./storage";

export type Theme = "system" | "light" | "dark";

function isTheme(value: unknown): value is Theme {
  return value === "system" || value === "light" || value === "dark";
}

const system = window.matchMedia("(prefers-color-scheme: dark)");

function isDark(theme: Theme): boolean {
  return theme === "dark" || (theme === "system" && system.matches);
}

interface ThemeState {
  theme: Theme;
  /** What is shown now, also when the system decides. A canvas redraws when this changes. */
  dark: boolean;
  setTheme: (theme: Theme) => void;
}

export const useTheme = create<ThemeState>((set) => {
  const theme = remembered<Theme>("theme", "system", isTheme);
  return {
    theme,
    dark: isDark(theme),
    setTheme: (next) => {
      remember("theme", next);
      apply(isDark(next));
      set({ theme: next, dark: isDark(next) });
    },
  };
});

function apply(dark: boolean): void {
  document.documentElement.classList.toggle("dark", dark);
}

system.addEventListener("change", () => {
  const { theme } = useTheme.getState();
  const dark = isDark(theme);
  apply(dark);
  useTheme.setState({ dark });
});
