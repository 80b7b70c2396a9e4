import { useQuery } from "@tanstack/react-query";
import { useId, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";

import { tasksQuery } from "@/lib/api/queries";
import type { Task } from "@/lib/api/types";

import { Field, Input } from "./field";
import styles from "./task-picker.module.css";

/** Finds a task by a few words. Arrows choose, Enter takes. */
export function TaskPicker({ onPick }: { onPick: (task: Task) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const { data } = useQuery({ ...tasksQuery({ text, limit: 8 }), enabled: open });
  const tasks = open ? (data?.tasks ?? []) : [];
  const at = Math.min(chosen, tasks.length - 1);

  function take(task: Task): void {
    onPick(task);
    setText("");
    setOpen(false);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || tasks.length === 0) return;
    const task = tasks[at];
    if (event.key === "ArrowDown") setChosen((at + 1) % tasks.length);
    else if (event.key === "ArrowUp") setChosen((at - 1 + tasks.length) % tasks.length);
    else if (event.key === "Enter" && task !== undefined) take(task);
    else if (event.key === "Escape") setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <Field label={t("common.run.pick_task")}>
      {(control) => (
        <div className={styles["picker"]}>
          <Input
            {...control}
            value={text}
            placeholder={t("common.run.find_task")}
            role="combobox"
            aria-expanded={tasks.length > 0}
            aria-controls={list}
            aria-activedescendant={tasks.length > 0 ? `${list}-${String(at)}` : undefined}
            onClick={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onKeyDown={onKeyDown}
            onChange={(event) => {
              setText(event.target.value);
              setChosen(0);
              setOpen(true);
            }}
          />
          {tasks.length > 0 && (
            <div id={list} role="listbox" className={styles["options"]}>
              {tasks.map((task, index) => (
                <div
                  key={task.id}
                  id={`${list}-${String(index)}`}
                  role="option"
                  aria-selected={index === at}
                  className={styles["option"]}
                  onPointerMove={() => setChosen(index)}
                  onPointerDown={(event) => {
                    event.preventDefault();
                    take(task);
                  }}
                >
                  <span className={styles["key"]}>{task.set} / {task.key}</span>
                  <span className={styles["question"]}>{task.question}</span>
                </div>
              ))}
            </div>
          )}
        </div>
      )}
    </Field>
  );
}
