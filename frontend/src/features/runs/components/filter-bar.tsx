import { useQuery } from "@tanstack/react-query";
import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";

import { Button } from "@/components/button";
import { classNames } from "@/components/class-names";
import { Checkbox, Input, Select } from "@/components/field";
import { teamsQuery, toolsQuery } from "@/lib/api/queries";
import type { RunCounts } from "@/lib/api/types";
import { useHotkeys } from "@/lib/hotkeys";

import { GROUPS, groupCount, isFiltered, ORDERS, withFilter, type Filters } from "../model/filters";
import styles from "./filter-bar.module.css";

const SOURCES = ["web", "command_line", "script", "rollout", "fork", "import"];

interface FilterBarProps {
  filters: Filters;
  search: URLSearchParams;
  counts: RunCounts | undefined;
  queueOpen: boolean;
  onSearch: (search: URLSearchParams) => void;
}

/** The chips with their live counts, and the finer filters below. */
export function FilterBar({ filters, search, counts, queueOpen, onSearch }: FilterBarProps) {
  return (
    <div className={styles["bar"]}>
      <Chips filters={filters} search={search} counts={counts} queueOpen={queueOpen} />
      {!queueOpen && <FineFilters filters={filters} search={search} onSearch={onSearch} />}
    </div>
  );
}

function Chips({ filters, search, counts, queueOpen }: Omit<FilterBarProps, "onSearch">) {
  const { t } = useTranslation();
  const count = (value: number) => counts !== undefined && <span className={styles["count"]}>{value.toLocaleString("en-US")}</span>;
  const link = (status: string) => {
    const next = withFilter(search, { status });
    next.delete("view");
    return `?${next.toString()}`;
  };
  return (
    <nav className={styles["chips"]} aria-label={t("runs.filter.status")}>
      {GROUPS.map((group) => {
        const status = group.statuses.join(",");
        const here = !queueOpen && filters.status === status;
        return (
          <Link key={group.name} to={link(status)} className={classNames(styles["chip"], here && styles["here"])} aria-current={here || undefined}>
            {t(`runs.group.${group.name}`)}
            {count(groupCount(group, counts ?? {}))}
          </Link>
        );
      })}
      <Link to="?view=queue" className={classNames(styles["chip"], queueOpen && styles["here"])} aria-current={queueOpen || undefined}>
        {t("runs.queue")}
        {count(counts?.queued ?? 0)}
      </Link>
    </nav>
  );
}

/** A text that reaches the address a moment after the typing stops. */
function TextFilter({ text, onText }: { text: string; onText: (text: string) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(text);
  const field = useRef<HTMLInputElement>(null);
  const send = useRef(onText);
  useEffect(() => {
    send.current = onText;
  });
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed === text) return;
    const timer = window.setTimeout(() => send.current(typed), 250);
    return () => window.clearTimeout(timer);
  }, [typed, text]);
  useHotkeys([{ keys: "/", label: "runs.filter.text", group: "shell.keys.page", run: () => field.current?.focus() }]);
  return (
    <div className={styles["text"]}>
      <Search size={14} aria-hidden />
      <Input
        ref={field}
        type="search"
        value={typed}
        aria-label={t("runs.filter.text")}
        placeholder={t("runs.filter.text_placeholder")}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && field.current?.blur()}
      />
    </div>
  );
}

function FineFilters({ filters, search, onSearch }: Pick<FilterBarProps, "filters" | "search" | "onSearch">) {
  const { t } = useTranslation();
  const teams = useQuery(teamsQuery);
  const tools = useQuery(toolsQuery);
  const set = (change: Parameters<typeof withFilter>[1]) => onSearch(withFilter(search, change));
  const any = (label: string) => ({ value: "", label });
  const names = (list: { name: string }[] | undefined) => (list ?? []).map(({ name }) => ({ value: name, label: name }));
  return (
    <div className={styles["fine"]}>
      <TextFilter text={filters.text} onText={(text) => set({ text })} />
      <Select aria-label={t("runs.column.team")} value={filters.team} options={[any(t("runs.filter.any_team")), ...names(teams.data)]} onChange={(event) => set({ team: event.target.value })} />
      <Select aria-label={t("runs.filter.tool")} value={filters.tool} options={[any(t("runs.filter.any_tool")), ...names(tools.data)]} onChange={(event) => set({ tool: event.target.value })} />
      <Select
        aria-label={t("runs.filter.source")}
        value={filters.source}
        options={[any(t("runs.filter.any_source")), ...SOURCES.map((source) => ({ value: source, label: t(`common.source.${source}`) }))]}
        onChange={(event) => set({ source: event.target.value })}
      />
      <Select aria-label={t("runs.filter.order")} value={filters.order} options={ORDERS.map((order) => ({ value: order, label: t(`runs.order.${order}`) }))} onChange={(event) => set({ order: event.target.value })} />
      <Checkbox label={t("runs.filter.errors")} checked={filters.errors} onChange={(event) => set({ errors: event.target.checked })} />
      {filters.tag !== "" && (
        <Button kind="quiet" icon={<X />} title={t("runs.filter.tag")} onClick={() => set({ tag: "" })}>{filters.tag}</Button>
      )}
      {isFiltered(filters) && (
        <Button kind="quiet" icon={<X />} onClick={() => onSearch(new URLSearchParams())}>
          {t("runs.filter.clear")}
        </Button>
      )}
    </div>
  );
}
