import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronRight, MoreHorizontal, Pencil, Plug, Plus, Power, Trash2, Wrench } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Badge } from "@/components/badge";
import { Button, IconButton } from "@/components/button";
import { Menu } from "@/components/menu";
import { Panel } from "@/components/panel";
import { EmptyState, ErrorState, SkeletonRows, useErrorText } from "@/components/states";
import { StatusMark, type Mark } from "@/components/status-mark";
import { undoableDelete, useHidden } from "@/components/undoable-delete";
import { sessionQuery } from "@/lib/api/queries";

import { mcpServersQuery, useDeleteServer, useIsTested, useOfferServer, useTestServer } from "../api/mcp-servers";
import type { McpServer } from "../model/mcp-server";
import { McpDialog } from "./mcp-dialog";
import styles from "./mcp-section.module.css";
import { McpTools } from "./mcp-tools";

const MARKS: Record<McpServer["state"], Mark> = { untested: "waiting", ok: "ok", failed: "failed" };

function ServerActions({ server, onEdit, onTest, testing }: { server: McpServer; onEdit: () => void; onTest: () => void; testing: boolean }) {
  const { t } = useTranslation();
  const offer = useOfferServer();
  const remove = useDeleteServer();
  const errorText = useErrorText();
  return (
    <>
      <Button icon={<Plug />} busy={testing} onClick={onTest}>{t("mcp.test")}</Button>
      <Menu
        trigger={<IconButton label={t("mcp.actions", { name: server.name })}><MoreHorizontal /></IconButton>}
        items={[
          { label: t("mcp.edit_short"), icon: <Pencil />, onSelect: onEdit },
          { label: t(server.enabled ? "mcp.switch_off" : "mcp.switch_on"), icon: <Power />, onSelect: () => offer.mutate({ id: server.id, enabled: !server.enabled }) },
          null,
          {
            label: t("common.delete"),
            icon: <Trash2 />,
            danger: true,
            onSelect: () => undoableDelete({ id: server.id, text: t("mcp.deleted", { name: server.name }), remove: () => remove.mutateAsync(server.id), onFailure: (error) => errorText(error).message }),
          },
        ]}
      />
    </>
  );
}

function ServerRow({ server, mayChange, onEdit }: { server: McpServer; mayChange: boolean; onEdit: () => void }) {
  const { t } = useTranslation();
  const test = useTestServer();
  const testing = useIsTested(server.id);
  const [open, setOpen] = useState(false);
  const offered = server.tools?.filter((tool) => tool.offered).length ?? 0;
  const count = server.tools === null ? t("mcp.not_asked") : t("mcp.tools_of", { offered, count: server.tools.length });
  const failure = testing ? "" : server.state === "failed" ? server.message : "";
  return (
    <li className={styles["row"]}>
      <div className={styles["main"]}>
        <StatusMark status={MARKS[server.state]} word={false} label={t(`mcp.state.${server.state}`)} />
        <div className={styles["words"]}>
          <span className={styles["line"]}>
            {mayChange ? <button type="button" className={styles["name"]} onClick={onEdit}>{server.name}</button> : <span className={styles["name"]}>{server.name}</span>}
            {!server.enabled && <Badge>{t("mcp.off")}</Badge>}
            {server.each_run && <Badge title={t("mcp.each_run_hint")}>{t("mcp.each_run_short")}</Badge>}
          </span>
          <span className={styles["address"]} title={server.address}>{server.address}</span>
        </div>
        <button type="button" className={styles["tools"]} aria-expanded={open} disabled={server.tools === null} onClick={() => setOpen(!open)}>
          {server.tools !== null && (open ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />)}
          {count}
        </button>
        <div className={styles["actions"]}>
          {mayChange && <ServerActions server={server} onEdit={onEdit} testing={testing} onTest={() => test.mutate(server.id, { onSuccess: (trial) => setOpen(trial.ok) })} />}
        </div>
      </div>
      {testing && <p className={styles["asking"]} role="status">{t("mcp.asking")}</p>}
      {test.error !== null && <div className={styles["below"]}><ErrorState error={test.error} title={t("mcp.test_failed")} compact /></div>}
      {failure !== "" && <pre className={styles["failure"]} role="status">{failure}</pre>}
      {open && server.tools !== null && <McpTools server={server} tools={server.tools} mayChange={mayChange} />}
    </li>
  );
}

/** The MCP servers whose tools agents can be given. */
export function McpSection() {
  const { t } = useTranslation();
  const servers = useQuery(mcpServersQuery);
  const session = useQuery(sessionQuery);
  const hidden = useHidden();
  const [open, setOpen] = useState<{ server: McpServer | null } | null>(null);
  const mayChange = session.data?.user?.is_staff === true;
  const shown = (servers.data ?? []).filter((server) => !hidden.has(server.id));
  const add = mayChange ? <Button icon={<Plus />} onClick={() => setOpen({ server: null })}>{t("mcp.add")}</Button> : undefined;
  return (
    <Panel title={t("mcp.servers")} count={servers.data === undefined ? undefined : shown.length} actions={add}>
      {servers.data === undefined ? (
        servers.error === null ? <SkeletonRows rows={2} height={52} /> : <ErrorState error={servers.error} onRetry={() => void servers.refetch()} />
      ) : shown.length === 0 ? (
        <EmptyState icon={<Wrench />} title={t("mcp.none")} action={add}>{t(mayChange ? "mcp.none_text" : "mcp.none_text_staff")}</EmptyState>
      ) : (
        <ul>{shown.map((server) => <ServerRow key={server.id} server={server} mayChange={mayChange} onEdit={() => setOpen({ server })} />)}</ul>
      )}
      {open !== null && <McpDialog server={open.server} onClose={() => setOpen(null)} />}
    </Panel>
  );
}
