import { useQuery } from "@tanstack/react-query";
import { Globe, Paperclip, Play, Search, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";

import { Badge } from "@/components/badge";
import { Button } from "@/components/button";
import { classNames } from "@/components/class-names";
import { Input, Select } from "@/components/field";
import { PageBar } from "@/components/page-bar";
import { Pager } from "@/components/pager";
import { EmptyState, ErrorState, SkeletonRows, useErrorText } from "@/components/states";
import { Cut, Table, type Column } from "@/components/table";
import { undoableDelete } from "@/components/undoable-delete";
import { sessionQuery } from "@/lib/api/queries";

import { suiteQuery, taskPath, useRemoveSuite, type SuitePage, type TaskRow } from "./api/environments";
import { RunSuiteDialog } from "./components/run-dialog";
import styles from "./suite-page.module.css";

const PAGE_SIZE = 100;

/** A suite's tasks, found by level, tag, grading or words; a filter is a link. */
export default function SuitePageView() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { suite = "" } = useParams();
  const [search, setSearch] = useSearchParams();
  const [running, setRunning] = useState(false);
  const filter = { level: search.get("level") ?? "", tag: search.get("tag") ?? "", graded: search.get("graded") ?? "", text: search.get("text") ?? "" };
  const page = Math.max(1, Math.floor(Number(search.get("page") ?? "1")) || 1);
  const { data, error, refetch, isPlaceholderData } = useQuery(suiteQuery(suite, { ...filter, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }));
  const columns = useColumns(data);
  const change = (key: string, value: string) =>
    setSearch((old) => {
      const next = new URLSearchParams(old);
      if (key !== "page") next.delete("page");
      if (value === "") next.delete(key);
      else next.set(key, value);
      return next;
    });
  const graded = filter.graded === "" ? null : filter.graded === "true";
  return (
    <div className={styles["page"]}>
      <PageBar
        crumbs={[{ label: t("shell.environments"), to: "/environments" }, { label: suite }]}
        actions={
          <>
            {data?.imported === true && <RemoveButton suite={suite} />}
            <Button kind="primary" icon={<Play />} disabled={data === undefined || data.total === 0} onClick={() => setRunning(true)}>{t("environments.run.all", { count: data?.total ?? 0 })}</Button>
          </>
        }
      />
      {data === undefined ? (
        error === null ? <SkeletonRows rows={14} /> : <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <FilterBar page={data} filter={filter} onChange={change} />
          <div className={styles["scroll"]} aria-busy={isPlaceholderData}>
            {data.tasks.length === 0 ? (
              <EmptyState icon={<Globe />} title={t("environments.no_task")} />
            ) : (
              <Table label={t("environments.tasks_of", { suite })} columns={columns} rows={data.tasks} rowKey={(task) => task.id} onOpen={(task) => void navigate(taskPath(task))} />
            )}
          </div>
          <Pager page={page} size={PAGE_SIZE} total={data.total} onPage={(next) => change("page", next === 1 ? "" : String(next))} note={data.title} />
        </>
      )}
      {running && <RunSuiteDialog wanted={{ suite, level: filter.level, tag: filter.tag, text: filter.text, graded }} count={data?.total ?? 0} onClose={() => setRunning(false)} />}
    </div>
  );
}

function useColumns(page: SuitePage | undefined): Column<TaskRow>[] {
  const { t } = useTranslation();
  const levels = (page?.levels.length ?? 0) > 1;
  const rows = page?.tasks ?? [];
  const columns: Column<TaskRow>[] = [
    { id: "id", header: t("environments.column.task"), width: "220px", narrowWidth: "42%", cell: (task) => <Link to={taskPath(task)} className={styles["id"]} tabIndex={-1} title={task.id}>{task.id}</Link> },
    { id: "question", header: t("environments.column.question"), cell: (task) => <Cut text={task.question} /> },
    ...(levels ? [{ id: "level", header: t("environments.column.level"), width: "80px", wideOnly: true, cell: (task: TaskRow) => task.level }] : []),
    { id: "tags", header: t("environments.column.tags"), width: "190px", wideOnly: true, cell: (task) => <Cut text={task.tags.join(", ")} /> },
    {
      id: "files",
      header: t("environments.column.files"),
      width: "64px",
      wideOnly: true,
      align: "right",
      cell: (task) => task.file_names.length > 0 && <span title={task.file_names.join("\n")}><Paperclip size={12} aria-hidden /> {task.file_names.length}</span>,
    },
    { id: "limits", header: t("environments.column.limits"), width: "110px", wideOnly: true, align: "right", cell: (task) => [task.max_steps === null ? "" : t("environments.steps", { count: task.max_steps }), task.seconds === null ? "" : `${task.seconds.toLocaleString("en-US")} s`].filter(Boolean).join(" · ") },
    { id: "graded", header: <span className="hidden-visually">{t("environments.column.graded")}</span>, width: "104px", wideOnly: true, cell: (task) => !task.graded && <Badge>{t("forms.score.none")}</Badge> },
  ];
  // A column that no task here needs leaves its room to the question.
  const needed: Record<string, boolean> = {
    tags: rows.some((task) => task.tags.length > 0),
    files: rows.some((task) => task.file_names.length > 0),
    limits: rows.some((task) => task.max_steps !== null || task.seconds !== null),
    graded: rows.some((task) => !task.graded),
  };
  return columns.filter(({ id }) => needed[id] !== false);
}

type Filter = Record<"level" | "tag" | "graded" | "text", string>;

function FilterBar({ page, filter, onChange }: { page: SuitePage; filter: Filter; onChange: (key: string, value: string) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(filter.text);
  useEffect(() => setTyped(filter.text), [filter.text]);
  useEffect(() => {
    if (typed === filter.text) return;
    const timer = window.setTimeout(() => onChange("text", typed), 250);
    return () => window.clearTimeout(timer);
  }, [typed, filter.text, onChange]);
  return (
    <div className={styles["bar"]}>
      {page.levels.length > 1 && (
        <div className={styles["chips"]} role="group" aria-label={t("environments.column.level")}>
          {[{ name: "", count: page.count }, ...page.levels].map(({ name, count }) => (
            <button key={name} type="button" className={classNames(styles["chip"], filter.level === name && styles["here"])} aria-pressed={filter.level === name} onClick={() => onChange("level", name)}>
              {name === "" ? t("environments.all") : t("environments.level", { level: name })} <span className={styles["number"]}>{count}</span>
            </button>
          ))}
        </div>
      )}
      {page.tags.length > 1 && (
        <Select className={styles["select"]} aria-label={t("environments.column.tags")} value={filter.tag} options={[{ value: "", label: t("environments.any_tag") }, ...page.tags.map(({ name, count }) => ({ value: name, label: `${name} (${String(count)})` }))]} onChange={(event) => onChange("tag", event.target.value)} />
      )}
      {page.ungraded > 0 && (
        <Select
          className={styles["select"]}
          aria-label={t("environments.column.graded")}
          value={filter.graded}
          options={[
            { value: "", label: t("environments.graded.any") },
            { value: "true", label: t("environments.graded.yes") },
            { value: "false", label: t("environments.graded.no", { count: page.ungraded }) },
          ]}
          onChange={(event) => onChange("graded", event.target.value)}
        />
      )}
      <div className={styles["search"]}>
        <Search size={14} aria-hidden />
        <Input type="search" value={typed} aria-label={t("environments.find")} placeholder={t("environments.find")} onChange={(event) => setTyped(event.target.value)} />
      </div>
    </div>
  );
}

function RemoveButton({ suite }: { suite: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const staff = useQuery(sessionQuery).data?.user?.is_staff === true;
  const remove = useRemoveSuite();
  const errorText = useErrorText();
  if (!staff) return null;
  return (
    <Button
      kind="quiet"
      icon={<Trash2 />}
      onClick={() => {
        undoableDelete({ id: suite, text: t("environments.removed", { suite }), remove: () => remove.mutateAsync(suite), onFailure: (error) => errorText(error).message });
        void navigate("/environments");
      }}
    >
      {t("common.delete")}
    </Button>
  );
}
