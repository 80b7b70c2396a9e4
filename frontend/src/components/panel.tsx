import type { ReactNode } from "react";

import styles from "./panel.module.css";

/** A titled part of a page: a heading line with its count and actions, a hairline, the content. */
export function Panel({ title, count, actions, children }: { title: string; count?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles["panel"]} aria-label={title}>
      <header className={styles["head"]}>
        <h2 className={styles["title"]}>{title}</h2>
        {count !== undefined && <span className={styles["count"]}>{count}</span>}
        <div className={styles["actions"]}>{actions}</div>
      </header>
      {children}
    </section>
  );
}
