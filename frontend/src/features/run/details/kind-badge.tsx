import { classNames } from "@/components/class-names";
import { familyOf } from "@/lib/events/kinds";

import styles from "./kind-badge.module.css";

/** A kind in its family's hue; an error or a warning has its own hue and a sign of its own. */
export function KindBadge({ kind, severity }: { kind: string; severity: number }) {
  const tone = severity === 2 ? "error" : severity === 1 ? "warning" : familyOf(kind);
  return (
    <span className={classNames(styles["kind"], styles[tone])}>
      {severity === 2 && <svg viewBox="0 0 10 10" width="9" height="9" aria-hidden><path d="M0 1h10L5 9.5z" fill="currentColor" /></svg>}
      {severity === 1 && <svg viewBox="0 0 10 10" width="9" height="9" aria-hidden><path d="M5 0.5 10 9.5H0z" fill="currentColor" /></svg>}
      {kind}
    </span>
  );
}
