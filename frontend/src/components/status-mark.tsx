import { useTranslation } from "react-i18next";

import type { RunStatus } from "@/lib/api/types";

import { classNames } from "./class-names";
import styles from "./status-mark.module.css";

/** What a mark can say: the states of a run, of a process, of a set-up step, of a check. */
export type Mark = RunStatus | "waiting" | "ok" | "warning" | "error";

const SHAPES: Record<Mark, { shape: string; tone: string }> = {
  queued: { shape: "ring", tone: "quiet" },
  waiting: { shape: "ring", tone: "quiet" },
  running: { shape: "disc", tone: "live" },
  paused: { shape: "bars", tone: "warning" },
  parked: { shape: "square", tone: "warning" },
  lost: { shape: "triangle", tone: "error" },
  finished: { shape: "check", tone: "ok" },
  ok: { shape: "check", tone: "ok" },
  failed: { shape: "cross", tone: "error" },
  error: { shape: "cross", tone: "error" },
  warning: { shape: "triangle", tone: "warning" },
  cancelled: { shape: "slash", tone: "quiet" },
};

const PATHS: Record<string, React.ReactNode> = {
  ring: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.6" strokeDasharray="2.2 1.6" />,
  disc: <circle cx="6" cy="6" r="4" fill="currentColor" />,
  bars: <path d="M3.2 2.2h2v7.6h-2zM6.8 2.2h2v7.6h-2z" fill="currentColor" />,
  square: <rect x="2.6" y="2.6" width="6.8" height="6.8" rx="1" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  triangle: <path d="M6 1.4 11 10.4H1z" fill="currentColor" />,
  check: <path d="m2 6.4 2.7 2.8L10 3.2" fill="none" stroke="currentColor" strokeWidth="1.9" strokeLinecap="round" strokeLinejoin="round" />,
  cross: <path d="m2.6 2.6 6.8 6.8m0-6.8-6.8 6.8" stroke="currentColor" strokeWidth="2.1" strokeLinecap="round" />,
  slash: <path d="M6 1.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4ZM3.2 8.8l5.6-5.6" fill="none" stroke="currentColor" strokeWidth="1.5" />,
};

/** A state by hue and by a shape of its own; the word stands beside it, or is the tooltip. */
export function StatusMark({ status, word = true, label }: { status: Mark; word?: boolean; label?: string }) {
  const { t } = useTranslation();
  const { shape, tone } = SHAPES[status];
  const text = label ?? t(`common.status.${status}`);
  return (
    <span className={classNames(styles["mark"], styles[tone])} title={word ? undefined : text}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden={word} role={word ? undefined : "img"} aria-label={word ? undefined : text}>
        {PATHS[shape]}
      </svg>
      {word && <span className={styles["word"]}>{text}</span>}
    </span>
  );
}
