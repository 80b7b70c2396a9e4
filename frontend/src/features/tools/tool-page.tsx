import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useParams, useSearchParams } from "react-router";

import { Badge } from "@/components/badge";
import { PageBar } from "@/components/page-bar";
import { Panel } from "@/components/panel";
import { SchemaTable } from "@/components/schema-table";
import { ErrorState, SkeletonRows } from "@/components/states";
import { CopyButton, Quantity, RelativeTime } from "@/components/values";

import { callsQuery, toolQuery, type ToolDetail } from "./api/tools";
import { Calls } from "./components/calls";
import { TryIt } from "./components/try-it";
import styles from "./tool-page.module.css";

/** One tool: what it is, trying it, who has it, and what came of its calls. */
export default function ToolPage() {
  const { t } = useTranslation();
  const { name = "" } = useParams();
  const [search, setSearch] = useSearchParams();
  const errors = search.get("errors") === "1";
  const { data: tool, error, refetch } = useQuery(toolQuery(name));
  return (
    <>
      <PageBar crumbs={[{ label: t("shell.tools"), to: "/tools" }, { label: name }]} state={tool !== undefined && <Effect tool={tool} />} />
      {tool === undefined ? (
        error === null ? <SkeletonRows rows={10} /> : <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={styles["page"]}>
          <p className={styles["description"]}>{tool.description}</p>
          <Figures tool={tool} />
          <div className={styles["columns"]}>
            <div className={styles["column"]}>
              <Panel title={t("tools.arguments")}><SchemaTable schema={tool.parameters} /></Panel>
              <Users tool={tool} />
            </div>
            <div className={styles["column"]}><TryIt key={tool.name} tool={tool} /></div>
          </div>
          <Calls name={tool.name} errors={errors} onErrors={(only) => setSearch(only ? { errors: "1" } : {}, { replace: true })} />
        </div>
      )}
    </>
  );
}

function Effect({ tool }: { tool: ToolDetail }) {
  const { t } = useTranslation();
  return <Badge tone={tool.effect === "unsafe" ? "warning" : "neutral"} title={t(`tools.effect_hint.${tool.effect}`)}>{t(`tools.effect.${tool.effect}`)}</Badge>;
}

function Figures({ tool }: { tool: ToolDetail }) {
  const { t } = useTranslation();
  const usage = useQuery(callsQuery(tool.name, false)).data?.usage ?? null;
  const called = usage !== null && usage.calls > 0;
  return (
    <dl className={styles["figures"]}>
      <div><dt>{t("tools.column.calls")}</dt><dd><Quantity value={usage?.calls ?? null} /></dd></div>
      <div data-bad={(called && usage.errors > 0) || undefined}><dt>{t("tools.column.errors")}</dt><dd><Quantity value={usage?.errors ?? null} /></dd></div>
      <div><dt>{t("tools.mean")}</dt><dd><Quantity value={called ? usage.total_us / usage.calls : null} unit="us" /></dd></div>
      <div><dt>{t("tools.longest")}</dt><dd><Quantity value={called ? usage.longest_us : null} unit="us" /></dd></div>
      <div><dt>{t("tools.column.last")}</dt><dd><RelativeTime at={usage?.last_at ?? 0} /></dd></div>
      <div><dt>{t("tools.limit")}</dt><dd>{tool.timeout_s.toLocaleString("en-US")} s</dd></div>
      <Source tool={tool} />
    </dl>
  );
}

function Source({ tool }: { tool: ToolDetail }) {
  const { t } = useTranslation();
  const elsewhere = tool.origin === "own" || tool.origin === "mcp";
  return (
    <div className={styles["source"]}>
      <dt>{t("tools.column.origin")}</dt>
      <dd title={tool.source}>{t(`tools.origin.${tool.origin}`)}{elsewhere && <small> {tool.source} <CopyButton text={tool.source} /></small>}</dd>
    </div>
  );
}

function Users({ tool }: { tool: ToolDetail }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("tools.users")} count={tool.teams.length}>
      {tool.teams.length === 0 ? (
        <p className={styles["nobody"]}>{t("tools.nobody")}</p>
      ) : (
        <ul className={styles["users"]}>
          {tool.teams.map((team) => (
            <li key={team.id}><Link to={`/teams/${team.id}`}>{team.name}</Link><span>{team.agents.join(", ")}</span></li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
