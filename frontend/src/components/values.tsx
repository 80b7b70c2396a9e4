import { Check, Copy } from "lucide-react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";

import { compact, duration, exact, money, relative, shortId } from "@/lib/format";

import { Tooltip } from "./tooltip";
import styles from "./values.module.css";

const clock = { now: Date.now(), listeners: new Set<() => void>(), timer: 0 };

function watchClock(listener: () => void): () => void {
  clock.listeners.add(listener);
  if (clock.timer === 0) {
    clock.now = Date.now();
    clock.timer = window.setInterval(() => {
      clock.now = Date.now();
      for (const each of clock.listeners) each();
    }, 1_000);
  }
  return () => {
    clock.listeners.delete(listener);
    if (clock.listeners.size === 0) {
      window.clearInterval(clock.timer);
      clock.timer = 0;
    }
  };
}

/** UTC microseconds, once a second, one timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(watchClock, () => clock.now) * 1000;
}

/** Only made when the tooltip opens. */
function Exact({ at }: { at: number }) {
  const { i18n } = useTranslation();
  return exact(at, i18n.language);
}

/** `3 min ago`; the exact time with its zone on hover. `at` is UTC microseconds; 0 shows a dash. */
export function RelativeTime({ at }: { at: number }) {
  const { i18n } = useTranslation();
  const now = useNow();
  if (at === 0) return <span className={styles["none"]}>–</span>;
  return (
    <Tooltip text={<Exact at={at} />}>
      <time className={styles["time"]} dateTime={new Date(at / 1000).toISOString()}>
        {relative(Math.min(at, now), now, i18n.language)}
      </time>
    </Tooltip>
  );
}

/** How long something took, or is taking while `to` is 0. Microseconds. */
export function Duration({ from, to }: { from: number; to: number }) {
  const now = useNow();
  if (from === 0) return <span className={styles["none"]}>–</span>;
  return <span className={styles["number"]}>{duration(Math.max(0, (to === 0 ? now : to) - from))}</span>;
}

type Unit = "tokens" | "usd" | "us" | "";

const WRITE: Record<Unit, (value: number) => string> = { tokens: compact, usd: money, us: duration, "": compact };

/** A number with its unit and tabular figures; the exact one on hover where it was shortened. */
export function Quantity({ value, unit = "", label }: { value: number | null; unit?: Unit; label?: string }) {
  if (value === null) return <span className={styles["none"]}>–</span>;
  const text = WRITE[unit](value);
  const whole = value.toLocaleString("en-US", { maximumFractionDigits: 6 });
  return (
    <span className={styles["number"]} title={text.includes(whole) ? undefined : whole}>
      {text}
      {label !== undefined && <span className={styles["unit"]}> {label}</span>}
    </span>
  );
}

/** Copies and says so for a moment. */
export function useCopy(): [boolean, (text: string) => void] {
  const [copied, setCopied] = useState(false);
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return [
    copied,
    (text) => {
      void copyText(text).then(() => {
        setCopied(true);
        window.clearTimeout(timer.current);
        timer.current = window.setTimeout(() => setCopied(false), 1_200);
      });
    },
  ];
}

async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Plain http off loopback has no clipboard API: the old command still works there.
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    area.style.opacity = "0";
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

/** A small copy button for any text. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { t } = useTranslation();
  const [copied, copy] = useCopy();
  const words = copied ? t("common.copied") : (label ?? t("common.copy"));
  return (
    <button
      type="button"
      className={styles["copy"]}
      aria-label={words}
      title={words}
      onClick={(event) => {
        event.stopPropagation();
        copy(text);
      }}
    >
      {copied ? <Check size={12} /> : <Copy size={12} />}
    </button>
  );
}

/** A short id in code type, with the whole on hover and a copy button. */
export function IdChip({ id }: { id: string }) {
  return (
    <span className={styles["id"]}>
      <span title={id}>{shortId(id)}</span>
      <CopyButton text={id} />
    </span>
  );
}
