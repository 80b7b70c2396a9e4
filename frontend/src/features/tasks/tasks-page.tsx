import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { ListChecks, MoreHorizontal, Pencil, Play, Plus, Search, Trash2, Upload } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";

import { Button, IconButton } from "@/components/button";
import { classNames } from "@/components/class-names";
import { Dialog } from "@/components/dialog";
import { Input } from "@/components/field";
import { Menu } from "@/components/menu";
import { PageBar } from "@/components/page-bar";
import { Pager } from "@/components/pager";
import { RunComposer } from "@/components/run-composer";
import { EmptyState, ErrorState, SkeletonRows, useErrorText } from "@/components/states";
import { Cut, Table, type Column } from "@/components/table";
import { undoableDelete, useHidden } from "@/components/undoable-delete";
import { tasksQuery, teamsQuery } from "@/lib/api/queries";
import type { Task, TaskList as TaskPage } from "@/lib/api/types";

import { useDeleteTask } from "./api/tasks";
import { ImportDialog } from "./components/import-dialog";
import { TaskDialog } from "./components/task-dialog";
import styles from "./tasks-page.module.css";

const PAGE_SIZE = 100;

interface Actions {
  onRun: (task: Task) => void;
  onEdit: (task: Task) => void;
}

function useColumns({ onRun, onEdit }: Actions, showSet: boolean): Column<Task>[] {
  const { t } = useTranslation();
  const remove = useDeleteTask();
  const errorText = useErrorText();
  const del = (task: Task) =>
    undoableDelete({
      id: task.id,
      text: t("tasks.deleted", { key: task.key }),
      remove: () => remove.mutateAsync(task.id),
      onFailure: (error) => errorText(error).message,
    });
  return [
    { id: "key", header: t("tasks.key"), width: "96px", wideOnly: true, cell: (task) => <span className={styles["key"]} title={task.key}>{task.key}</span> },
    { id: "question", header: t("tasks.question"), cell: (task) => <Cut text={task.question} /> },
    { id: "answer", header: t("tasks.answer"), width: "16%", wideOnly: true, cell: (task) => (task.answer === "" ? <span className={styles["none"]}>{t("tasks.no_answer")}</span> : <Cut text={task.answer} />) },
    ...(showSet ? [{ id: "set", header: t("tasks.set"), width: "130px", wideOnly: true, cell: (task: Task) => <Cut text={task.set} /> }] : []),
    { id: "level", header: t("tasks.level"), width: "128px", wideOnly: true, cell: (task) => <Cut text={task.level} /> },
    {
      id: "menu",
      header: <span className="hidden-visually">{t("tasks.actions")}</span>,
      width: "92px",
      narrowWidth: "108px",
      align: "right",
      cell: (task) => (
        <span className={styles["actions"]}>
          <IconButton label={t("tasks.run")} onClick={() => onRun(task)}><Play /></IconButton>
          <Menu
            trigger={<IconButton label={t("tasks.actions")}><MoreHorizontal /></IconButton>}
            items={[
              { label: t("tasks.edit"), icon: <Pencil />, onSelect: () => onEdit(task) },
              null,
              { label: t("common.delete"), icon: <Trash2 />, danger: true, onSelect: () => del(task) },
            ]}
          />
        </span>
      ),
    },
  ];
}

/** The sets as chips, and a text to find in. */
function SetBar({ sets, set, text, onText }: { sets: { name: string; count: number }[]; set: string; text: string; onText: (text: string) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed === text) return;
    const timer = window.setTimeout(() => onText(typed), 250);
    return () => window.clearTimeout(timer);
  }, [typed, text, onText]);
  const all = sets.reduce((sum, each) => sum + each.count, 0);
  return (
    <div className={styles["bar"]}>
      <nav className={styles["chips"]} aria-label={t("tasks.sets")}>
        {[{ name: "", count: all }, ...sets].map(({ name, count }) => (
          <Link key={name} to={name === "" ? "/tasks" : `?set=${encodeURIComponent(name)}`} className={classNames(styles["chip"], set === name && styles["here"])} aria-current={set === name || undefined}>
            {name === "" ? t("tasks.all") : name}
            <span className={styles["count"]}>{count.toLocaleString("en-US")}</span>
          </Link>
        ))}
      </nav>
      <div className={styles["search"]}>
        <Search size={14} aria-hidden />
        <Input type="search" value={typed} aria-label={t("tasks.find")} placeholder={t("tasks.find")} onChange={(event) => setTyped(event.target.value)} />
      </div>
    </div>
  );
}

function RunTask({ task, onClose }: { task: Task; onClose: () => void }) {
  const { t } = useTranslation();
  const teams = useQuery(teamsQuery);
  return (
    <Dialog open onClose={onClose} as="drawer" title={t("tasks.run_title", { key: task.key })}>
      {teams.data === undefined ? (
        teams.error === null ? <SkeletonRows rows={4} /> : <ErrorState error={teams.error} compact onRetry={() => void teams.refetch()} />
      ) : teams.data.length === 0 ? (
        <EmptyState title={t("home.no_team")} action={<Link to="/teams/new">{t("home.make_team")}</Link>} />
      ) : (
        <RunComposer teams={teams.data} task={task} />
      )}
    </Dialog>
  );
}

interface TaskListProps {
  query: UseQueryResult<TaskPage>;
  text: string;
  page: number;
  columns: Column<Task>[];
  onEdit: (task: Task) => void;
  onImport: () => void;
  onPage: (page: number) => void;
}

/** The table with its states and the pager. */
function TaskList({ query, text, page, columns, onEdit, onImport, onPage }: TaskListProps) {
  const { t } = useTranslation();
  const hidden = useHidden();
  const { data, error, refetch, isPlaceholderData } = query;
  if (data === undefined) return error === null ? <SkeletonRows rows={14} /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  const shown = data.tasks.filter((task) => !hidden.has(task.id));
  return (
    <>
      <div className={styles["scroll"]} aria-busy={isPlaceholderData}>
        {shown.length > 0 ? (
          <Table label={t("shell.tasks")} columns={columns} rows={shown} rowKey={(task) => task.id} onOpen={onEdit} />
        ) : text === "" ? (
          <EmptyState icon={<ListChecks />} title={t("tasks.none")} action={<Button icon={<Upload />} onClick={onImport}>{t("tasks.import")}</Button>}>{t("tasks.none_text")}</EmptyState>
        ) : (
          <EmptyState icon={<ListChecks />} title={t("tasks.none_match", { text })}>{t("tasks.none_match_text")}</EmptyState>
        )}
      </div>
      <Pager page={page} size={PAGE_SIZE} total={data.total} onPage={onPage} />
    </>
  );
}

/** From 1; whatever is no number is the first. */
function pageOf(search: URLSearchParams): number {
  return Math.max(1, Math.floor(Number(search.get("page") ?? "1")) || 1);
}

type Open = { what: "add" } | { what: "edit"; task: Task } | { what: "run"; task: Task } | { what: "import"; file: File | null } | null;

/** Questions with the answers that are right, in sets. */
export default function TasksPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const [open, setOpen] = useState<Open>(null);
  const set = search.get("set") ?? "";
  const text = search.get("text") ?? "";
  const page = pageOf(search);
  const tasks = useQuery(tasksQuery({ set, text, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }));
  const columns = useColumns({ onRun: (task) => setOpen({ what: "run", task }), onEdit: (task) => setOpen({ what: "edit", task }) }, set === "");
  const sets = tasks.data?.sets ?? [];
  const names = sets.map(({ name }) => name);

  const change = (key: string, value: string) =>
    setSearch((old) => {
      const next = new URLSearchParams(old);
      if (key !== "page") next.delete("page");
      if (value === "") next.delete(key);
      else next.set(key, value);
      return next;
    });

  return (
    <div
      className={styles["page"]}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const [file] = event.dataTransfer.files;
        if (file !== undefined && open === null) setOpen({ what: "import", file });
      }}
    >
      <PageBar
        crumbs={[{ label: t("shell.tasks"), ...(set !== "" && { to: "/tasks" }) }, ...(set === "" ? [] : [{ label: set }])]}
        actions={
          <>
            <Button icon={<Upload />} onClick={() => setOpen({ what: "import", file: null })}>{t("tasks.import_short")}</Button>
            <Button kind="primary" icon={<Plus />} onClick={() => setOpen({ what: "add" })}>{t("tasks.add")}</Button>
          </>
        }
      />
      {(sets.length > 0 || text !== "") && <SetBar sets={sets} set={set} text={text} onText={(value) => change("text", value)} />}
      <TaskList query={tasks} text={text} page={page} columns={columns} onEdit={(task) => setOpen({ what: "edit", task })} onImport={() => setOpen({ what: "import", file: null })} onPage={(next) => change("page", next === 1 ? "" : String(next))} />
      {open?.what === "add" && <TaskDialog task={null} sets={names} set={set || (names[0] ?? "")} onClose={() => setOpen(null)} />}
      {open?.what === "edit" && <TaskDialog task={open.task} sets={names} set={set} onClose={() => setOpen(null)} />}
      {open?.what === "run" && <RunTask task={open.task} onClose={() => setOpen(null)} />}
      {open?.what === "import" && (
        <ImportDialog
          initial={open.file}
          sets={names}
          set={set}
          onClose={() => setOpen(null)}
          onDone={(into) => {
            setOpen(null);
            setSearch({ set: into });
          }}
        />
      )}
    </div>
  );
}
