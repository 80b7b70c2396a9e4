import type { ReactNode } from "react";

import styles from "./badge.module.css";
import { classNames } from "./class-names";

export type Tone = "neutral" | "accent" | "ok" | "error" | "warning" | "info";
export type Family = "model" | "tool" | "message" | "environment" | "person" | "trainer" | "supervisor";

/** A short word with a meaning (`tone`) or of an event family (`family`). */
export function Badge({ tone = "neutral", family, icon, children, title }: { tone?: Tone; family?: Family; icon?: ReactNode; children: ReactNode; title?: string }) {
  return (
    <span className={classNames(styles["badge"], family === undefined ? styles[tone] : styles[family])} title={title}>
      {icon}
      {children}
    </span>
  );
}
