import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Badge } from "@/components/badge";
import { Button } from "@/components/button";
import { Checkbox, Input } from "@/components/field";
import { ErrorState } from "@/components/states";

import { useOfferServer } from "../api/mcp-servers";
import { withTool, type McpServer, type McpTool } from "../model/mcp-server";
import styles from "./mcp-tools.module.css";

/** From here on a field to find tools by a few letters helps. */
const MANY = 12;

function ToolRow({ tool, mayChange, busy, onChange }: { tool: McpTool; mayChange: boolean; busy: boolean; onChange: (offered: boolean) => void }) {
  const { t } = useTranslation();
  const name = <span className={styles["name"]}>{tool.name}</span>;
  return (
    <li className={styles["row"]}>
      <div className={styles["head"]}>
        {mayChange && tool.problem === "" ? (
          <Checkbox label={name} checked={tool.offered} disabled={busy} onChange={(event) => onChange(event.target.checked)} />
        ) : name}
        <Badge tone={tool.effect === "unsafe" ? "warning" : "neutral"} title={t("mcp.effect_hint")}>{t(`mcp.effect.${tool.effect}`)}</Badge>
        {!mayChange && !tool.offered && tool.problem === "" && <Badge>{t("mcp.not_offered")}</Badge>}
      </div>
      {tool.description !== "" && <p className={styles["about"]}>{tool.description}</p>}
      {tool.problem !== "" && <p className={styles["problem"]}>✖ {t("mcp.left_out", { problem: tool.problem })}</p>}
      <details className={styles["more"]}>
        <summary>{t("mcp.schema")}</summary>
        <p className={styles["about"]}>{t("mcp.offered_as")} <code>{tool.offered_as}</code></p>
        <pre className={styles["schema"]}>{JSON.stringify(tool.parameters, null, 2)}</pre>
      </details>
    </li>
  );
}

/** What a server offers; each tool can be kept from the agents. */
export function McpTools({ server, tools, mayChange }: { server: McpServer; tools: McpTool[]; mayChange: boolean }) {
  const { t } = useTranslation();
  const offer = useOfferServer();
  const [wanted, setWanted] = useState("");
  const letters = wanted.trim().toLowerCase();
  const shown = letters === "" ? tools : tools.filter((tool) => `${tool.name} ${tool.description}`.toLowerCase().includes(letters));
  return (
    <div className={styles["tools"]}>
      <div className={styles["bar"]}>
        <span className={styles["who"]}>{[server.server, server.protocol !== "" ? t("mcp.protocol", { version: server.protocol }) : ""].filter(Boolean).join(" · ")}</span>
        {tools.length > MANY && <Input className={styles["find"]} type="search" aria-label={t("mcp.find")} placeholder={t("mcp.find")} value={wanted} onChange={(event) => setWanted(event.target.value)} />}
        {mayChange && (
          <span className={styles["all"]}>
            <Button kind="quiet" disabled={offer.isPending} onClick={() => offer.mutate({ id: server.id, tools: null })}>{t("mcp.all")}</Button>
            <Button kind="quiet" disabled={offer.isPending} onClick={() => offer.mutate({ id: server.id, tools: [] })}>{t("mcp.no_tool")}</Button>
          </span>
        )}
      </div>
      {offer.error !== null && <ErrorState error={offer.error} title={t("mcp.not_saved")} compact />}
      {server.cut && <p className={styles["problem"]}>{t("mcp.cut", { count: tools.length })}</p>}
      {tools.length === 0 && <p className={styles["about"]}>{t("mcp.offers_nothing")}</p>}
      <ul className={styles["list"]}>
        {shown.map((tool) => (
          <ToolRow key={tool.name} tool={tool} mayChange={mayChange} busy={offer.isPending} onChange={(offered) => offer.mutate({ id: server.id, tools: withTool(tools, tool.name, offered) })} />
        ))}
      </ul>
      {shown.length < tools.length && <p className={styles["about"]}>{t("mcp.found", { shown: shown.length, count: tools.length })}</p>}
    </div>
  );
}
