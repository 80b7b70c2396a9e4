import { useEffect } from "react";
import { useTranslation } from "react-i18next";

import { compact } from "@/lib/format";

import { useRunPlace } from "../model/run-context";
import styles from "./transcript.module.css";

const EDGE = 256;

/** Events between two loaded parts. Being seen loads those at its two ends. */
export function GapRow({ from, to }: { from: number; to: number }) {
  const { t } = useTranslation();
  const { session } = useRunPlace();
  useEffect(() => {
    session.ensure(from, Math.min(to, from + EDGE));
    session.ensure(Math.max(from, to - EDGE), to);
  }, [session, from, to]);
  return (
    <div className={styles["gap"]}>
      {t("trace.transcript.gap", { count: to - from + 1, number: compact(to - from + 1), from, to })}
    </div>
  );
}
