import { Languages, Monitor, Moon, Search, Sun, WifiOff } from "lucide-react";
import { useTranslation } from "react-i18next";

import { IconButton } from "@/components/button";
import { Keys } from "@/components/keys";
import { Menu } from "@/components/menu";
import { Tooltip } from "@/components/tooltip";
import { setLanguage } from "@/lib/i18n";
import { useConnection } from "@/lib/live";
import { useTheme, type Theme } from "@/lib/theme";

import styles from "./top-bar.module.css";

const THEMES: { theme: Theme; icon: typeof Sun }[] = [
  { theme: "system", icon: Monitor },
  { theme: "light", icon: Sun },
  { theme: "dark", icon: Moon },
];

function ThemeMenu() {
  const { t } = useTranslation();
  const { theme, dark, setTheme } = useTheme();
  return (
    <Menu
      trigger={<IconButton label={t("shell.theme")}>{dark ? <Moon /> : <Sun />}</IconButton>}
      items={THEMES.map(({ theme: each, icon: Icon }) => ({
        label: t(`shell.theme.${each}`),
        icon: <Icon />,
        checked: each === theme,
        onSelect: () => setTheme(each),
      }))}
    />
  );
}

function LanguageMenu() {
  const { t, i18n } = useTranslation();
  return (
    <Menu
      trigger={<IconButton label={t("shell.language")}><Languages /></IconButton>}
      items={[
        { label: "English", checked: i18n.language === "en", onSelect: () => void setLanguage("en") },
        { label: "中文", checked: i18n.language === "zh", onSelect: () => void setLanguage("zh") },
      ]}
    />
  );
}

/** Only speaks when the live connection is away. */
function ConnectionSign() {
  const { t } = useTranslation();
  const state = useConnection();
  if (state !== "reconnecting" && state !== "offline") return null;
  return (
    <Tooltip text={t(`shell.connection.${state}`)}>
      <span className={styles["connection"]} role="status" tabIndex={0}>
        <WifiOff size={14} aria-hidden />
        <span className={styles["words"]}>{t("shell.connection.away")}</span>
      </span>
    </Tooltip>
  );
}

/** The page's own bar at the left, what is the same everywhere at the right. */
export function TopBar({ place, onSearch }: { place: (element: HTMLElement | null) => void; onSearch: () => void }) {
  const { t } = useTranslation();
  return (
    <header className={styles["bar"]}>
      <div ref={place} className={styles["page"]} />
      <div className={styles["shared"]}>
        <ConnectionSign />
        <button type="button" className={styles["search"]} onClick={onSearch}>
          <Search size={14} aria-hidden />
          <span className={styles["words"]}>{t("shell.search")}</span>
          <Keys keys="mod+k" />
        </button>
        <div className={styles["choices"]}>
          <ThemeMenu />
          <LanguageMenu />
        </div>
      </div>
    </header>
  );
}
