import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { useRunPlace, useStoreVersion } from "../model/run-context";
import styles from "./head.module.css";

/**
 * Completeness, provable by the dense seq: from the first event to the last, what is here, what
 * came late, and what is not here.
 */
export function Ribbon() {
  const { t } = useTranslation();
  const { session } = useRunPlace();
  const { store } = session;
  const version = useStoreVersion();
  const canvas = useRef<HTMLCanvasElement>(null);
  const total = store.head + 1;
  const here = store.known.size;
  const settled = session.loading.state === "ready" && session.whole;
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (element === null || context === null || context === undefined) return;
    const style = getComputedStyle(element);
    const width = (element.width = Math.max(1, element.clientWidth));
    element.height = 1;
    context.fillStyle = style.getPropertyValue("--ok");
    context.fillRect(0, 0, width, 1);
    if (total === 0) context.clearRect(0, 0, width, 1);
    for (const gap of store.known.missing(0, total - 1)) {
      const left = Math.floor((gap.from / total) * width);
      const right = Math.max(left + 1, Math.floor(((gap.to + 1) / total) * width));
      context.fillStyle = style.getPropertyValue(settled ? "--warning" : "--line-strong");
      context.fillRect(left, 0, right - left, 1);
    }
  }, [store, version, total, settled]);
  const missing = total - here;
  const words =
    missing === 0
      ? t("trace.ribbon.complete", { count: total })
      : settled
        ? t("trace.ribbon.missing", { count: missing, number: missing.toLocaleString("en-US") })
        : t("trace.ribbon.part", { here: here.toLocaleString("en-US"), total: total.toLocaleString("en-US") });
  const late = store.late > 0 && session.whole ? ` · ${t("trace.ribbon.late", { count: store.late })}` : "";
  return (
    <span className={styles["ribbon"]} title={words + late} role="img" aria-label={words + late}>
      <canvas ref={canvas} className={styles["band"]} aria-hidden />
      <span className={styles["ribbonText"]}>{total === 0 ? "" : missing === 0 ? t("trace.ribbon.short_complete") : words}</span>
    </span>
  );
}
