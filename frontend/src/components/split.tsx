import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { remember, remembered } from "@/lib/storage";

import { classNames } from "./class-names";
import styles from "./split.module.css";

interface SplitProps {
  /** Remembered under this name. */
  name: string;
  /** `row`: side by side; `column`: one above the other. */
  direction?: "row" | "column";
  /** The part whose size is set in pixels; the other takes the rest. */
  sized?: "first" | "second";
  initial: number;
  min?: number;
  /** Pixels that the other part keeps at least. */
  keep?: number;
  first: ReactNode;
  second: ReactNode;
}

const STEP = 16;

/** Two parts and a hairline to drag between them, by pointer or arrow keys. Double-click resets. */
export function Split({ name, direction = "row", sized = "second", initial, min = 160, keep = 200, first, second }: SplitProps) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState(() =>
    remembered<number>(`split.${name}`, initial, (v): v is number => typeof v === "number" && v > 0),
  );
  const drag = useRef<{ at: number; size: number } | null>(null);
  const along = (event: PointerEvent) => (direction === "row" ? event.clientX : event.clientY);

  function resize(next: number): number {
    const box = root.current?.getBoundingClientRect();
    const whole = box === undefined ? Infinity : direction === "row" ? box.width : box.height;
    const bounded = Math.round(Math.max(min, Math.min(next, whole - keep)));
    setSize(bounded);
    return bounded;
  }

  function onKeyDown(event: KeyboardEvent): void {
    const forward = direction === "row" ? "ArrowRight" : "ArrowDown";
    const back = direction === "row" ? "ArrowLeft" : "ArrowUp";
    if (event.key !== forward && event.key !== back) return;
    event.preventDefault();
    const grows = (event.key === forward) === (sized === "first");
    remember(`split.${name}`, resize(size + (grows ? STEP : -STEP)));
  }

  const style = { flexBasis: size };
  return (
    <div ref={root} className={classNames(styles["split"], styles[direction])}>
      <div className={sized === "first" ? styles["sized"] : styles["rest"]} style={sized === "first" ? style : undefined}>{first}</div>
      <div
        className={styles["handle"]}
        role="separator"
        tabIndex={0}
        aria-orientation={direction === "row" ? "vertical" : "horizontal"}
        aria-label={t("common.resize")}
        aria-valuenow={size}
        aria-valuemin={min}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { at: along(event), size };
        }}
        onPointerMove={(event) => {
          if (drag.current === null) return;
          const moved = along(event) - drag.current.at;
          resize(drag.current.size + (sized === "first" ? moved : -moved));
        }}
        onPointerUp={() => {
          drag.current = null;
          remember(`split.${name}`, size);
        }}
        onDoubleClick={() => remember(`split.${name}`, resize(initial))}
        onKeyDown={onKeyDown}
      />
      <div className={sized === "second" ? styles["sized"] : styles["rest"]} style={sized === "second" ? style : undefined}>{second}</div>
    </div>
  );
}
