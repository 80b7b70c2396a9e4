import { ArrowDown, ArrowUp } from "lucide-react";
import { useRef, type CSSProperties, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";

import { classNames } from "./class-names";
import styles from "./table.module.css";

export interface Column<Row> {
  id: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers stand right. */
  align?: "right";
  /** CSS width; one column without it takes the rest. */
  width?: string;
  /** The same on a narrow screen. */
  narrowWidth?: string;
  /** Left out on a narrow screen. */
  wideOnly?: boolean;
  sortable?: boolean;
}

export interface Sort {
  column: string;
  descending: boolean;
}

interface TableProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  onOpen?: (row: Row) => void;
  /** Keys on the focused row beside the arrows and Enter. */
  onRowKey?: (event: KeyboardEvent, row: Row) => void;
  sort?: Sort | null;
  onSort?: (column: string) => void;
  /** A row that is marked, for instance as just added. */
  marked?: string | null;
}

/**
 * Whether a click was meant for something else than the row: a control in it, or a menu that is
 * drawn elsewhere and whose clicks React carries up to here.
 */
function onControl(event: MouseEvent): boolean {
  if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return true;
  return event.target instanceof Element && event.target.closest("a, button, input, select, label") !== null;
}

/** Rows of one height, a head that stays, and one tab stop: arrows or j/k move, Enter opens. */
export function Table<Row>({ label, columns, rows, rowKey, onOpen, onRowKey, sort, onSort, marked }: TableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);

  function focusRow(index: number): void {
    const all = body.current?.rows;
    all?.[Math.max(0, Math.min(index, all.length - 1))]?.focus();
  }

  function onKeyDown(event: KeyboardEvent<HTMLTableRowElement>, row: Row, index: number): void {
    if (event.target !== event.currentTarget) return;
    const to = { ArrowDown: index + 1, j: index + 1, ArrowUp: index - 1, k: index - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (to !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      focusRow(to);
    } else if (event.key === "Enter" && onOpen !== undefined) {
      event.preventDefault();
      onOpen(row);
    } else onRowKey?.(event, row);
  }

  return (
    <table className={styles["table"]} aria-label={label}>
      <colgroup>
        {columns.map((column) => (
          <col key={column.id} className={column.wideOnly === true ? styles["wide"] : undefined} style={widths(column)} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {columns.map((column) => {
            const sorted = sort?.column === column.id;
            return (
              <th
                key={column.id}
                className={classNames(column.align && styles[column.align], column.wideOnly === true && styles["wide"])}
                aria-sort={sorted ? (sort.descending ? "descending" : "ascending") : undefined}
              >
                {column.sortable === true && onSort !== undefined ? (
                  <button type="button" className={styles["sort"]} onClick={() => onSort(column.id)}>
                    {column.header}
                    {sorted && (sort.descending ? <ArrowDown size={12} aria-hidden /> : <ArrowUp size={12} aria-hidden />)}
                  </button>
                ) : (
                  column.header
                )}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map((row, index) => (
          <tr
            key={rowKey(row)}
            tabIndex={index === 0 ? 0 : -1}
            className={classNames(onOpen !== undefined && styles["opens"], marked === rowKey(row) && styles["marked"])}
            onClick={(event) => {
              if (!onControl(event) && window.getSelection()?.isCollapsed !== false) onOpen?.(row);
            }}
            onKeyDown={(event) => onKeyDown(event, row, index)}
          >
            {columns.map((column) => (
              <td key={column.id} className={classNames(column.align && styles[column.align], column.wideOnly === true && styles["wide"])}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The two widths, for the style sheet to choose from. */
function widths({ width = "auto", narrowWidth = width }: { width?: string; narrowWidth?: string }): CSSProperties {
  return { "--width": width, "--narrow-width": narrowWidth } as CSSProperties;
}

/** Text of one line, cut with dots; the whole on hover. */
export function Cut({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <span className={styles["cut"]} title={text}>
      {children ?? text}
    </span>
  );
}
