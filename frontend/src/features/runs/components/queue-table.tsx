import { Ban, GripVertical } from "lucide-react";
import { useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";

import { IconButton } from "@/components/button";
import { classNames } from "@/components/class-names";
import { useErrorText } from "@/components/states";
import { toast } from "@/components/toast";
import { RelativeTime } from "@/components/values";
import { useCancelRun, useMoveRun } from "@/lib/api/run-actions";
import type { Run } from "@/lib/api/types";

import { moveTo, reordered } from "../model/queue";
import styles from "./queue-table.module.css";

/** Waiting runs in the order in which they will be taken. Drag a row, or Alt with an arrow key. */
export function QueueTable({ runs }: { runs: Run[] }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const move = useMoveRun();
  const cancel = useCancelRun();
  const errorText = useErrorText();
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const [expected, setExpected] = useState<{ of: Run[]; as: Run[] } | null>(null);
  // The expected order holds until the server's next answer.
  const shown = expected?.of === runs ? expected.as : runs;

  const told = (error: unknown) => {
    setExpected(null);
    toast({ text: errorText(error).message, mark: "error" });
  };

  function place(id: string, to: number): void {
    const change = moveTo(shown, id, to);
    if (change === null) return;
    setExpected({ of: runs, as: reordered(shown, id, Math.max(0, Math.min(to, shown.length - 1))) });
    move.mutate({ id, ...change }, { onError: told });
  }

  function onKeyDown(event: KeyboardEvent<HTMLTableRowElement>, run: Run, index: number): void {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.target !== event.currentTarget) return;
    if (step !== undefined) {
      event.preventDefault();
      if (event.altKey) place(run.run_id, index + step);
      else ((step < 0 ? event.currentTarget.previousElementSibling : event.currentTarget.nextElementSibling) as HTMLElement | null)?.focus();
    } else if (event.key === "Enter") void navigate(`/runs/${run.run_id}`);
  }

  return (
    <>
      <p className={styles["hint"]}>{t("runs.queue.hint")}</p>
      <table className={styles["table"]} aria-label={t("runs.queue")}>
        <thead>
          <tr>
            <th className={styles["grip"]} />
            <th className={styles["place"]}>#</th>
            <th>{t("common.run.question")}</th>
            <th className={styles["team"]}>{t("runs.column.team")}</th>
            <th className={styles["priority"]}>{t("runs.column.priority")}</th>
            <th className={styles["when"]}>{t("runs.column.waiting")}</th>
            <th className={styles["end"]} />
          </tr>
        </thead>
        <tbody>
          {shown.map((run, index) => (
            <tr
              key={run.run_id}
              draggable
              tabIndex={0}
              className={classNames(dragged === run.run_id && styles["dragged"], over === index && dragged !== null && styles["over"])}
              onKeyDown={(event) => onKeyDown(event, run, index)}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = "move";
                event.dataTransfer.setData("text/plain", run.run_id);
                setDragged(run.run_id);
              }}
              onDragOver={(event) => {
                event.preventDefault();
                setOver(index);
              }}
              onDrop={(event) => {
                event.preventDefault();
                if (dragged !== null) place(dragged, index);
              }}
              onDragEnd={() => {
                setDragged(null);
                setOver(null);
              }}
            >
              <td className={styles["grip"]}><GripVertical size={14} aria-hidden className={styles["gripMark"]} /></td>
              <td className={styles["place"]}>{index + 1}</td>
              <td><Link to={`/runs/${run.run_id}`} className={styles["link"]} title={run.input} tabIndex={-1}>{run.input}</Link></td>
              <td className={styles["team"]}>{run.team_name}</td>
              <td className={styles["priority"]}>
                <Priority run={run} onChange={(priority) => move.mutate({ id: run.run_id, priority }, { onError: told })} />
              </td>
              <td className={styles["when"]}><RelativeTime at={run.created_at} /></td>
              <td className={styles["end"]}>
                <IconButton label={t("runs.cancel")} onClick={() => cancel.mutate(run.run_id, { onError: told })}><Ban /></IconButton>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Higher runs first; sent when the field is left or Enter pressed. */
function Priority({ run, onChange }: { run: Run; onChange: (priority: number) => void }) {
  const { t } = useTranslation();
  return (
    <input
      key={run.priority}
      type="number"
      step={1}
      defaultValue={run.priority}
      aria-label={t("runs.column.priority")}
      className={styles["number"]}
      onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
      onBlur={(event) => {
        const value = Math.round(event.currentTarget.valueAsNumber);
        if (Number.isFinite(value) && value !== run.priority) onChange(value);
        else event.currentTarget.value = String(run.priority);
      }}
    />
  );
}
