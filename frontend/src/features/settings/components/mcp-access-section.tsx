import { useQuery } from "@tanstack/react-query";
import { KeyRound, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Button, IconButton } from "@/components/button";
import { Field, Input } from "@/components/field";
import { Panel } from "@/components/panel";
import { ErrorState, SkeletonRows, useErrorText } from "@/components/states";
import { undoableDelete, useHidden } from "@/components/undoable-delete";
import { RelativeTime, useCopy } from "@/components/values";

import { tokensQuery, useDeleteToken, useMakeToken, type AccessToken } from "../api/tokens";
import styles from "./mcp-access-section.module.css";

/** Where the runs are for MCP clients, and what such a client must show. */
export function McpAccessSection() {
  const { t } = useTranslation();
  const tokens = useQuery(tokensQuery);
  const make = useMakeToken();
  const hidden = useHidden();
  const [name, setName] = useState("");
  const shown = (tokens.data ?? []).filter((token) => !hidden.has(token.id));
  return (
    <Panel title={t("mcp.access")} count={tokens.data === undefined ? undefined : shown.length}>
      <div className={styles["body"]}>
        <p className={styles["about"]}>{t("mcp.access_text")} <code>{`${window.location.origin}/mcp`}</code></p>
        <form
          className={styles["make"]}
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() !== "") make.mutate(name, { onSuccess: () => setName("") });
          }}
        >
          <Field label={t("mcp.token_name")} hint={t("mcp.token_name_hint")}>
            {(control) => <Input {...control} maxLength={120} value={name} onChange={(event) => setName(event.target.value)} />}
          </Field>
          <Button type="submit" icon={<KeyRound />} busy={make.isPending} disabled={name.trim() === ""}>{t("mcp.token_make")}</Button>
        </form>
        {make.error !== null && <ErrorState error={make.error} title={t("mcp.token_not_made")} compact />}
        {make.data !== undefined && !hidden.has(make.data.id) && <FreshToken name={make.data.name} secret={make.data.secret} />}
      </div>
      {tokens.data === undefined ? (
        tokens.error === null ? <SkeletonRows rows={1} height={40} /> : <ErrorState error={tokens.error} onRetry={() => void tokens.refetch()} />
      ) : (
        <ul>{shown.map((token) => <TokenRow key={token.id} token={token} />)}</ul>
      )}
    </Panel>
  );
}

function FreshToken({ name, secret }: { name: string; secret: string }) {
  const { t } = useTranslation();
  const config = JSON.stringify({ mcpServers: { "aworld-runs": { type: "http", url: `${window.location.origin}/mcp`, headers: { Authorization: `Bearer ${secret}` } } } }, null, 2);
  const [copied, copy] = useCopy();
  return (
    <div className={styles["fresh"]} role="status">
      <div className={styles["line"]}>
        <strong>{t("mcp.token_once", { name })}</strong>
        <Button onClick={() => copy(config)}>{t(copied ? "common.copied" : "common.copy")}</Button>
      </div>
      <pre className={styles["config"]}>{config}</pre>
    </div>
  );
}

function TokenRow({ token }: { token: AccessToken }) {
  const { t } = useTranslation();
  const remove = useDeleteToken();
  const errorText = useErrorText();
  return (
    <li className={styles["row"]}>
      <span className={styles["name"]}>{token.name}</span>
      <code className={styles["hint"]}>…{token.hint}</code>
      <span className={styles["used"]}>{token.used_at === 0 ? t("mcp.token_unused") : <>{t("mcp.token_used")} <RelativeTime at={token.used_at} /></>}</span>
      <IconButton
        label={t("mcp.token_remove", { name: token.name })}
        onClick={() => undoableDelete({ id: token.id, text: t("mcp.token_removed", { name: token.name }), remove: () => remove.mutateAsync(token.id), onFailure: (error) => errorText(error).message })}
      >
        <Trash2 />
      </IconButton>
    </li>
  );
}
