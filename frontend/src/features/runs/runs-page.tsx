import { useQuery } from "@tanstack/react-query";
import { Plus, Rows3, Upload } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";

import { Button, ButtonLink } from "@/components/button";
import { PageBar } from "@/components/page-bar";
import { Pager } from "@/components/pager";
import { EmptyState, ErrorState, SkeletonRows, useErrorText } from "@/components/states";
import type { Sort } from "@/components/table";
import { toast } from "@/components/toast";
import { useHidden } from "@/components/undoable-delete";
import { runsQuery } from "@/lib/api/queries";
import { useImportRun } from "@/lib/api/run-actions";
import { remember, remembered } from "@/lib/storage";

import { FilterBar } from "./components/filter-bar";
import { QueueTable } from "./components/queue-table";
import { RunTable } from "./components/run-table";
import { isFiltered, PAGE_SIZE, readFilters, toQuery, withFilter, type Filters, type Order } from "./model/filters";
import { nextSort, sorted } from "./model/sort";
import styles from "./runs-page.module.css";

const QUEUE_LIMIT = 200;

function ImportButton() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const errorText = useErrorText();
  const upload = useImportRun();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon={<Upload />} busy={upload.isPending} onClick={() => input.current?.click()} title={t("runs.import.hint")}>
        {t("runs.import")}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".zip"
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file === undefined) return;
          upload.mutate(file, {
            onSuccess: (run) => void navigate(`/runs/${run.run_id}`),
            onError: (error) => toast({ text: errorText(error).message, mark: "error" }),
          });
        }}
      />
    </>
  );
}

/** The table of a filter, its states, and the pager. */
function Runs({ filters, onPage }: { filters: Filters; onPage: (page: number) => void }) {
  const { t } = useTranslation();
  const query = useQuery(runsQuery(toQuery(filters)));
  const hidden = useHidden();
  const [sort, setSort] = useState<Sort | null>(() => remembered<Sort | null>("runs.sort", null));
  const [, setSearch] = useSearchParams();
  const { data, error } = query;

  function onSort(column: string): void {
    if (column === "when") {
      const order: Order = filters.order === "newest" ? "oldest" : "newest";
      setSearch((search) => withFilter(search, { order }));
      return;
    }
    const next = nextSort(sort, column);
    remember("runs.sort", next);
    setSort(next);
  }

  if (data === undefined) return error === null ? <SkeletonRows rows={14} /> : <ErrorState error={error} onRetry={() => void query.refetch()} />;
  const runs = sorted(data.runs.filter((run) => !hidden.has(run.run_id)), sort, Date.now() * 1000);
  const shownSort = sort ?? (filters.order === "failures_first" ? null : { column: "when", descending: filters.order === "newest" });
  return (
    <>
      {error !== null && <ErrorState error={error} onRetry={() => void query.refetch()} />}
      {runs.length > 0 ? (
        <div className={styles["scroll"]} aria-busy={query.isPlaceholderData}>
          <RunTable runs={runs} sort={shownSort} onSort={onSort} />
        </div>
      ) : (
        <div className={styles["scroll"]}>
          <Nothing filtered={isFiltered(filters)} />
        </div>
      )}
      <Pager page={filters.page} size={PAGE_SIZE} total={data.total} onPage={onPage} note={sort !== null && data.total > PAGE_SIZE && t("runs.sort_note")} />
    </>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation();
  return filtered ? (
    <EmptyState icon={<Rows3 />} title={t("runs.none_match")} action={<ButtonLink to="/runs">{t("runs.filter.clear")}</ButtonLink>}>
      {t("runs.none_match_text")}
    </EmptyState>
  ) : (
    <EmptyState icon={<Rows3 />} title={t("runs.none")} action={<ButtonLink to="/" kind="primary">{t("runs.begin")}</ButtonLink>}>
      {t("runs.none_text")}
    </EmptyState>
  );
}

function Queue() {
  const { t } = useTranslation();
  const query = useQuery(runsQuery({ status: "queued", order: "queue", limit: QUEUE_LIMIT }));
  const { data, error } = query;
  if (data === undefined) return error === null ? <SkeletonRows rows={8} height={36} /> : <ErrorState error={error} onRetry={() => void query.refetch()} />;
  if (data.runs.length === 0) return <EmptyState title={t("runs.queue.none")}>{t("runs.queue.none_text")}</EmptyState>;
  return (
    <div className={styles["scroll"]}>
      <QueueTable runs={data.runs} />
      {data.total > QUEUE_LIMIT && <p className={styles["cut"]}>{t("runs.queue.cut", { shown: QUEUE_LIMIT, total: data.total })}</p>}
    </div>
  );
}

/** All runs: failures first, every filter in the address, counts live, the queue beside them. */
export default function RunsPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const filters = readFilters(search, remembered<Order>("runs.order", "failures_first"));
  const queueOpen = search.get("view") === "queue";
  const { data: counted } = useQuery(runsQuery({ limit: 1, order: "newest" }));

  function change(next: URLSearchParams): void {
    const order = next.get("order");
    if (order !== null) remember("runs.order", order);
    // At once: a box that is ticked must not jump back until the transition has run.
    setSearch(next, { replace: true, flushSync: true });
  }

  return (
    <div className={styles["page"]}>
      <PageBar
        crumbs={[{ label: t("shell.runs"), ...(queueOpen && { to: "/runs" }) }, ...(queueOpen ? [{ label: t("runs.queue") }] : [])]}
        actions={
          <>
            <ImportButton />
            <ButtonLink to="/" kind="primary" icon={<Plus />}>{t("runs.new")}</ButtonLink>
          </>
        }
      />
      <FilterBar filters={filters} search={search} counts={counted?.counts} queueOpen={queueOpen} onSearch={change} />
      {queueOpen ? <Queue /> : <Runs filters={filters} onPage={(page) => setSearch(withFilter(search, { page }))} />}
    </div>
  );
}
