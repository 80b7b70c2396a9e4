import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { NavLink } from "react-router";

import { IconButton } from "@/components/button";
import { classNames } from "@/components/class-names";
import { remember, remembered } from "@/lib/storage";

import { PAGES } from "./pages";
import styles from "./rail.module.css";

/** The pages at the left, with words or folded to icons; a bar at the foot on a phone. */
export function Rail({ counts }: { counts: Record<string, number> }) {
  const { t } = useTranslation();
  const [folded, setFolded] = useState(() => remembered("rail.folded", false));
  return (
    <nav className={classNames(styles["rail"], folded && styles["folded"])} aria-label={t("shell.pages")}>
      <div className={styles["brand"]}>
        <img src={`${import.meta.env.BASE_URL}favicon.svg`} alt="" width={20} height={20} />
        <span className={styles["word"]}>AWorld</span>
      </div>
      <ul className={styles["list"]}>
        {PAGES.map(({ path, label, icon: Icon }) => (
          <li key={path}>
            <NavLink
              to={path}
              end={path === "/"}
              title={t(label)}
              className={({ isActive }) => classNames(styles["link"], isActive && styles["here"])}
            >
              <Icon size={16} aria-hidden />
              <span className={styles["word"]}>{t(label)}</span>
              {(counts[path] ?? 0) > 0 && <span className={styles["count"]}>{counts[path]}</span>}
            </NavLink>
          </li>
        ))}
      </ul>
      <div className={styles["fold"]}>
        <IconButton
          label={folded ? t("shell.unfold") : t("shell.fold")}
          onClick={() => {
            remember("rail.folded", !folded);
            setFolded(!folded);
          }}
        >
          {folded ? <PanelLeftOpen /> : <PanelLeftClose />}
        </IconButton>
      </div>
    </nav>
  );
}
