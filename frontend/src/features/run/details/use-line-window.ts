import { useEffect, useState, type RefObject } from "react";

/** Height of a line, pixels. */
export const LINE = 19;
const OVERSCAN = 20;
const TALLEST = 30_000_000;

/** Which of many lines of equal height are seen. */
export function useLineWindow(scroller: RefObject<HTMLDivElement | null>, count: number) {
  const [top, setTop] = useState(0);
  const [seen, setSeen] = useState(400);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setSeen(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  const natural = count * LINE + 12;
  const height = Math.min(natural, TALLEST);
  const scale = Math.max(1, (natural - seen) / Math.max(1, height - seen));
  const at = top * scale;
  const first = Math.max(0, Math.floor(at / LINE) - OVERSCAN);
  const last = Math.min(count - 1, Math.ceil((at + seen) / LINE) + OVERSCAN);
  const jump = (line: number) => {
    if (scroller.current !== null) scroller.current.scrollTop = Math.max(0, line * LINE - seen / 3) / scale;
  };
  const onScroll = (event: React.UIEvent) => setTop(event.currentTarget.scrollTop);
  return { first, last, offset: top - (at - first * LINE), height, jump, onScroll };
}
