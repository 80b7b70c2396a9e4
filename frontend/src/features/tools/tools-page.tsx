import { useQuery } from "@tanstack/react-query";
import { Search, Wrench } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useSearchParams } from "react-router";

import { Badge } from "@/components/badge";
import { classNames } from "@/components/class-names";
import { Input } from "@/components/field";
import { PageBar } from "@/components/page-bar";
import { Panel } from "@/components/panel";
import { EmptyState, ErrorState, SkeletonRows } from "@/components/states";
import { StatusMark } from "@/components/status-mark";
import { Cut, Table, type Column } from "@/components/table";
import { CopyButton, Quantity, RelativeTime } from "@/components/values";

import { catalogueQuery, usageQuery, type CatalogueTool, type ToolUsage } from "./api/tools";
import styles from "./tools-page.module.css";

const ORIGINS = ["", "built_in", "own", "mcp", "registered"] as const;

function useColumns(usage: ToolUsage | undefined): Column<CatalogueTool>[] {
  const { t } = useTranslation();
  const of = (tool: CatalogueTool) => usage?.tools[tool.name];
  return [
    {
      id: "name",
      header: t("tools.column.name"),
      width: "200px",
      narrowWidth: "55%",
      cell: (tool) => <Link to={`/tools/${encodeURIComponent(tool.name)}`} className={styles["name"]} tabIndex={-1} title={tool.name}>{tool.name}</Link>,
    },
    { id: "description", header: t("tools.column.description"), wideOnly: true, cell: (tool) => <Cut text={tool.description} /> },
    { id: "origin", header: t("tools.column.origin"), width: "104px", wideOnly: true, cell: (tool) => <Badge title={tool.source}>{t(`tools.origin.${tool.origin}`)}</Badge> },
    { id: "effect", header: t("tools.column.effect"), width: "110px", wideOnly: true, cell: (tool) => <Badge tone={tool.effect === "unsafe" ? "warning" : "neutral"} title={t(`tools.effect_hint.${tool.effect}`)}>{t(`tools.effect.${tool.effect}`)}</Badge> },
    { id: "teams", header: t("tools.column.teams"), width: "150px", wideOnly: true, cell: (tool) => (tool.teams.length === 0 ? <span className={styles["none"]}>–</span> : <Cut text={tool.teams.map((team) => team.name).join(", ")} />) },
    { id: "calls", header: t("tools.column.calls"), width: "76px", align: "right", cell: (tool) => <Quantity value={of(tool)?.calls ?? 0} /> },
    {
      id: "errors",
      header: t("tools.column.errors"),
      width: "76px",
      align: "right",
      cell: (tool) => {
        const errors = of(tool)?.errors ?? 0;
        return errors === 0 ? <span className={styles["none"]}>0</span> : <Link className={styles["errors"]} to={`/tools/${encodeURIComponent(tool.name)}?errors=1`} tabIndex={-1}>▼ {errors.toLocaleString("en-US")}</Link>;
      },
    },
    { id: "time", header: t("tools.column.time"), width: "84px", align: "right", wideOnly: true, cell: (tool) => <Quantity value={mean(of(tool))} unit="us" /> },
    { id: "last", header: t("tools.column.last"), width: "104px", align: "right", wideOnly: true, cell: (tool) => <RelativeTime at={of(tool)?.last_at ?? 0} /> },
  ];
}

function mean(usage: ToolUsage["tools"][string] | undefined): number | null {
  return usage === undefined || usage.calls === 0 ? null : usage.total_us / usage.calls;
}

/** Every tool that agents can be given, what came of its calls, and what was to be a tool and is none. */
export default function ToolsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const { data, error, refetch } = useQuery(catalogueQuery);
  const usage = useQuery(usageQuery);
  const columns = useColumns(usage.data);
  const origin = search.get("origin") ?? "";
  const text = search.get("text") ?? "";
  const change = (key: string, value: string) =>
    setSearch((old) => {
      const next = new URLSearchParams(old);
      if (value === "") next.delete(key);
      else next.set(key, value);
      return next;
    }, { replace: true });
  const words = text.toLowerCase();
  const tools = data?.tools ?? [];
  const shown = tools.filter((tool) => (origin === "" || tool.origin === origin) && (tool.name.toLowerCase().includes(words) || tool.description.toLowerCase().includes(words)));
  return (
    <>
      <PageBar crumbs={[{ label: t("shell.tools") }]} />
      <div className={styles["bar"]}>
        <nav className={styles["chips"]} aria-label={t("tools.column.origin")}>
          {ORIGINS.map((each) => {
            const count = tools.filter((tool) => each === "" || tool.origin === each).length;
            if (count === 0 && each !== origin && each !== "") return null;
            const to = new URLSearchParams(search);
            if (each === "") to.delete("origin");
            else to.set("origin", each);
            return (
              <Link key={each} to={`?${to.toString()}`} className={classNames(styles["chip"], origin === each && styles["here"])} aria-current={origin === each || undefined}>
                {each === "" ? t("tools.all") : t(`tools.origin.${each}`)} <span className={styles["count"]}>{count}</span>
              </Link>
            );
          })}
        </nav>
        <div className={styles["search"]}>
          <Search size={14} aria-hidden />
          <Input type="search" value={text} aria-label={t("tools.find")} placeholder={t("tools.find")} onChange={(event) => change("text", event.target.value)} />
        </div>
      </div>
      {data === undefined ? (
        error === null ? <SkeletonRows rows={10} /> : <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          {data.problems.length > 0 && <Broken problems={data.problems} />}
          {shown.length === 0 ? (
            <EmptyState icon={<Wrench />} title={t("tools.none")}>{t("tools.none_text")}</EmptyState>
          ) : (
            <Table label={t("shell.tools")} columns={columns} rows={shown} rowKey={(tool) => tool.name} onOpen={(tool) => void navigate(`/tools/${encodeURIComponent(tool.name)}`)} />
          )}
          {usage.data !== undefined && <p className={styles["foot"]}>{t("tools.counted", { looked: usage.data.runs_looked_at, total: usage.data.runs_total })}</p>}
        </>
      )}
    </>
  );
}

/** Files that were to be tools, each with its place and what is wrong there. */
function Broken({ problems }: { problems: { where: string; message: string }[] }) {
  const { t } = useTranslation();
  return (
    <div className={styles["broken"]}>
      <Panel title={t("tools.broken")} count={problems.length}>
        <ul className={styles["problems"]}>
          {problems.map((problem) => (
            <li key={`${problem.where} ${problem.message}`}>
              <StatusMark status="error" word={false} />
              <span className={styles["place"]}><code>{problem.where}</code><CopyButton text={problem.where} /></span>
              <span className={styles["why"]}>{problem.message}</span>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}
