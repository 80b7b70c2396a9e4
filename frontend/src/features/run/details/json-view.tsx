import { ChevronDown, ChevronRight } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { Input } from "@/components/field";
import { ErrorState, SkeletonRows } from "@/components/states";
import { CopyButton } from "@/components/values";
import { bytes } from "@/lib/format";

import { decode, findBytes, visibleLines, type JsonLines } from "./json-lines";
import { JsonLine } from "./json-line";
import type { JsonJob } from "./json-worker";
import styles from "./json-view.module.css";
import { useJson } from "./use-json";
import { useLineWindow } from "./use-line-window";

/** So few lines need neither find nor copy. */
const FEW_LINES = 30;
const COPY_UP_TO = 500_000;

/** JSON of any size, written out nicely, foldable, with find and copy. */
export function JsonView({ job }: { job: JsonJob }) {
  const state = useJson(job);
  if (state === null) return <SkeletonRows rows={10} height={20} />;
  if ("error" in state) return <ErrorState error={state.error} compact />;
  return <Lines text={state.text} lines={state.lines} />;
}

function Lines({ text, lines }: { text: Uint8Array; lines: JsonLines }) {
  const { t } = useTranslation();
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [find, setFind] = useState("");
  const [cursor, setCursor] = useState(-1);
  const seen = useMemo(() => visibleLines(lines, folded), [lines, folded]);
  const count = seen === null ? lines.count : seen.length;
  const scroller = useRef<HTMLDivElement>(null);
  const { first, last, offset, height, jump, onScroll } = useLineWindow(scroller, count);

  const search = (from: number) => {
    if (find === "") return;
    const wanted = new TextEncoder().encode(find);
    const at = findBytes(text, wanted, from);
    const found = at >= 0 ? at : findBytes(text, wanted, 0);
    setCursor(found);
    if (found < 0) return;
    setFolded(new Set());
    jump(lineAt(lines, found));
  };
  const fold = (line: number) =>
    setFolded((before) => {
      const next = new Set(before);
      if (!next.delete(line)) next.add(line);
      return next;
    });

  const rows: number[] = [];
  for (let row = first; row <= last; row += 1) rows.push(seen === null ? row : (seen[row] as number));
  const marked = cursor < 0 ? -1 : lineAt(lines, cursor);
  return (
    <div className={styles["view"]}>
      <div className={styles["bar"]} hidden={lines.count < FEW_LINES}>
        <Input
          type="search"
          className={styles["find"] ?? ""}
          placeholder={t("trace.json.find")}
          aria-label={t("trace.json.find")}
          value={find}
          onChange={(event) => {
            setFind(event.target.value);
            setCursor(-1);
          }}
          onKeyDown={(event) => event.key === "Enter" && search(cursor + 1)}
        />
        <span className={styles["size"]}>
          {t("trace.json.size", { lines: lines.count.toLocaleString("en-US"), size: bytes(text.length) })}
        </span>
        {text.length <= COPY_UP_TO && <CopyButton text={decode(text, 0, text.length)} label={t("common.copy")} />}
      </div>
      <div ref={scroller} className={styles["scroller"]} onScroll={onScroll} tabIndex={0}>
        <div className={styles["whole"]} style={{ height }}>
          <div className={styles["shown"]} style={{ transform: `translateY(${String(offset)}px)` }}>
            {rows.map((line) => {
              const close = lines.closes[line] as number;
              const isFolded = folded.has(line);
              return (
                <div key={line} className={line === marked ? styles["marked"] : styles["line"]} style={{ paddingLeft: 20 + (lines.depth[line] as number) * 14 }}>
                  {close > 0 && (
                    <button type="button" className={styles["fold"]} aria-expanded={!isFolded} aria-label={t("trace.json.fold")} onClick={() => fold(line)}>
                      {isFolded ? <ChevronRight size={12} /> : <ChevronDown size={12} />}
                    </button>
                  )}
                  <JsonLine text={decode(text, lines.start[line] as number, lines.end[line] as number)} />
                  {isFolded && <span className={styles["hidden"]}>{` … ${(close - line - 1).toLocaleString("en-US")} `}{decode(text, lines.start[close] as number, lines.end[close] as number)}</span>}
                </div>
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}

/** The line on which a character stands. */
function lineAt(lines: JsonLines, offset: number): number {
  let low = 0;
  let high = lines.count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines.start[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
