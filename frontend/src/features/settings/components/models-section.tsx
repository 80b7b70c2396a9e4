import { useQuery } from "@tanstack/react-query";
import { MoreHorizontal, Pencil, Plug, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Button, IconButton } from "@/components/button";
import { Menu } from "@/components/menu";
import { Panel } from "@/components/panel";
import { EmptyState, ErrorState, SkeletonRows, useErrorText } from "@/components/states";
import { StatusMark, type Mark } from "@/components/status-mark";
import { undoableDelete, useHidden } from "@/components/undoable-delete";
import { modelsQuery, providersQuery } from "@/lib/api/queries";
import { money } from "@/lib/format";
import type { Model } from "@/lib/api/types";

import { useDeleteModel, useTestModel } from "../api/models";
import { ModelDialog } from "./model-dialog";
import styles from "./models-section.module.css";
import { TestResult } from "./test-result";

const MARKS: Record<Model["state"], Mark> = { untested: "waiting", ok: "ok", failed: "failed" };

function ModelRow({ model, provider, onEdit }: { model: Model; provider: string; onEdit: () => void }) {
  const { t } = useTranslation();
  const test = useTestModel();
  const remove = useDeleteModel();
  const errorText = useErrorText();
  const key = model.has_key ? (model.key_hint === "" ? t("settings.models.key_kept") : t("settings.models.key_kept_hint", { hint: model.key_hint })) : t("settings.models.no_key");
  const fixed = model.source === "config.yaml";
  const note = fixed ? t("settings.models.in_file") : model.hidden ? t("settings.models.hidden") : null;
  return (
    <li className={styles["row"]}>
      <div className={styles["main"]}>
        <StatusMark status={MARKS[model.state]} word={false} label={t(`settings.state.${model.state}`)} />
        <div className={styles["words"]}>
          {fixed ? <span className={styles["name"]}>{model.name}</span> : <button type="button" className={styles["name"]} onClick={onEdit}>{model.name}</button>}
          <span className={styles["model"]} title={model.model}>{model.model}</span>
        </div>
        <div className={styles["where"]}>
          <span>{provider}</span>
          <span className={styles["url"]} title={model.base_url}>{model.base_url}</span>
          {model.fallbacks.length > 0 && <span className={styles["chain"]}>{t("settings.models.then", { names: model.fallbacks.join(" → ") })}</span>}
        </div>
        <span className={styles["key"]}>{key}</span>
        <span className={styles["price"]}>
          {model.price === null ? t("settings.models.no_price") : t("settings.models.price_short", { input: model.price.input, output: model.price.output })}
          {model.spending !== null && <span className={styles["spent"]}>{t("settings.models.spent_both", { day: money(model.spending.day_usd), month: money(model.spending.month_usd) })}</span>}
        </span>
        <Button icon={<Plug />} busy={test.isPending} onClick={() => test.mutate(model.id)}>{t("settings.models.test")}</Button>
        {!fixed && <Menu
          trigger={<IconButton label={t("settings.models.actions")}><MoreHorizontal /></IconButton>}
          items={[
            { label: t("settings.models.edit_short"), icon: <Pencil />, onSelect: onEdit },
            null,
            {
              label: t("common.delete"),
              icon: <Trash2 />,
              danger: true,
              onSelect: () => undoableDelete({ id: model.id, text: t("settings.models.deleted", { name: model.name }), remove: () => remove.mutateAsync(model.id), onFailure: (error) => errorText(error).message }),
            },
          ]}
        />}
      </div>
      {note !== null && <p className={styles["note"]}>{note}</p>}
      {!test.isIdle && <div className={styles["test"]}><TestResult test={test} /></div>}
    </li>
  );
}

/** The connections to models; each can be tried. */
export function ModelsSection() {
  const { t } = useTranslation();
  const models = useQuery(modelsQuery);
  const providers = useQuery(providersQuery);
  const hidden = useHidden();
  const [open, setOpen] = useState<{ model: Model | null } | null>(null);
  const shown = (models.data ?? []).filter((model) => !hidden.has(model.id));
  const add = <Button icon={<Plus />} onClick={() => setOpen({ model: null })} disabled={providers.data === undefined}>{t("settings.models.add")}</Button>;
  const title = (name: string) => providers.data?.find((provider) => provider.name === name)?.title ?? name;
  return (
    <Panel title={t("settings.models")} count={models.data === undefined ? undefined : shown.length} actions={add}>
      {models.data === undefined ? (
        models.error === null ? <SkeletonRows rows={3} height={52} /> : <ErrorState error={models.error} onRetry={() => void models.refetch()} />
      ) : shown.length === 0 ? (
        <EmptyState icon={<Plug />} title={t("settings.models.none")} action={add}>{t("settings.models.none_text")}</EmptyState>
      ) : (
        <ul>{shown.map((model) => <ModelRow key={model.id} model={model} provider={title(model.provider)} onEdit={() => setOpen({ model })} />)}</ul>
      )}
      {open !== null && <ModelDialog model={open.model} providers={providers.data ?? []} names={[...new Set((models.data ?? []).map((model) => model.name))]} onClose={() => setOpen(null)} />}
    </Panel>
  );
}
