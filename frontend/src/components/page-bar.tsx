import { ChevronRight } from "lucide-react";
import { createContext, useContext, useEffect, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { Link } from "react-router";

import styles from "./page-bar.module.css";

export interface Crumb {
  label: string;
  to?: string;
}

/** Where the shell's bar takes what the page gives it. */
export const PageBarPlace = createContext<HTMLElement | null>(null);

/**
 * The page's place in the shell's bar: breadcrumb, state, actions. A page renders it once,
 * anywhere; it also names the browser's tab.
 */
export function PageBar({ crumbs, state, actions }: { crumbs: Crumb[]; state?: ReactNode; actions?: ReactNode }) {
  const place = useContext(PageBarPlace);
  const title = [...crumbs].reverse().map((crumb) => crumb.label).join(" · ");
  useEffect(() => {
    document.title = `${title} · AWorld`;
  }, [title]);
  if (place === null) return null;
  return createPortal(
    <div className={styles["bar"]}>
      <nav className={styles["crumbs"]} aria-label="Breadcrumb">
        {crumbs.map((crumb, index) => (
          <span key={index} className={styles["crumb"]}>
            {index > 0 && <ChevronRight size={13} className={styles["divider"]} aria-hidden />}
            {index === crumbs.length - 1 ? (
              <h1 className={styles["here"]} title={crumb.label}>{crumb.label}</h1>
            ) : (
              <Link to={crumb.to ?? "/"} className={styles["link"]}>{crumb.label}</Link>
            )}
          </span>
        ))}
      </nav>
      {state !== undefined && <div className={styles["state"]}>{state}</div>}
      <div className={styles["actions"]}>{actions}</div>
    </div>,
    place,
  );
}
