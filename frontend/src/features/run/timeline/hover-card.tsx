import { useEffect, useImperativeHandle, useRef, type Ref } from "react";

import { classNames } from "@/components/class-names";
import { duration } from "@/lib/format";

import { KindBadge } from "../details/kind-badge";
import { useFromStore, usePage, useRunPlace } from "../model/run-context";
import { summary } from "../model/summary";
import styles from "./timeline.module.css";

export interface HoverHandle {
  /** Client coordinates of the pointer. */
  place: (x: number, y: number) => void;
}

const WIDTH = 320;
/** Only where the pointer rests is an event fetched that is not loaded yet. */
const DWELL_MS = 120;

/** What the pointer is over: kind, actor, when, how long, and its first line. */
export function HoverCard({ ref }: { ref: Ref<HoverHandle> }) {
  const { session } = useRunPlace();
  const hover = usePage((state) => state.hover);
  const card = useRef<HTMLDivElement>(null);
  const at = useRef({ x: 0, y: 0 });
  useImperativeHandle(ref, () => ({
    place: (x, y) => {
      at.current = { x, y };
      if (card.current !== null) card.current.style.translate = position(x, y);
    },
  }));
  const { store } = session;
  useFromStore(() => (hover !== null && store.events.has(hover) ? hover : null));
  useEffect(() => {
    if (hover === null || store.events.has(hover)) return;
    const timer = setTimeout(() => session.ensure(hover, hover), DWELL_MS);
    return () => clearTimeout(timer);
  }, [hover, session, store]);
  if (hover === null) return null;
  const known = store.has(hover);
  const event = store.events.peek(hover);
  const open = store.isOpen(hover);
  const length = (open ? session.now() : store.end(hover)) - store.at(hover);
  return (
    <div
      ref={card}
      className={classNames(styles["card"], store.severity(hover) === 2 && styles["bad"])}
      style={{ width: WIDTH, translate: position(at.current.x, at.current.y) }}
      aria-hidden
    >
      <div className={styles["cardHead"]}>
        {known && <KindBadge kind={store.kind(hover)} severity={store.severity(hover)} />}
        <span className={styles["cardSeq"]}>#{hover}</span>
      </div>
      {known && (
        <div className={styles["cardFacts"]}>
          <span>{store.lanes.get(store.lane(hover))?.name}</span>
          <span className="tabular">+{duration(store.at(hover))}</span>
          {(length > 0 || open) && <span className="tabular">{duration(length)}{open ? " …" : ""}</span>}
        </div>
      )}
      {event !== undefined && <p className={styles["cardText"]}>{summary(event)}</p>}
    </div>
  );
}

function position(x: number, y: number): string {
  const left = Math.min(x + 14, window.innerWidth - WIDTH - 12);
  return `${String(Math.max(8, left))}px ${String(y + 18)}px`;
}
