import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Checkbox, Field, Input, Select, Textarea } from "@/components/field";
import { ErrorState } from "@/components/states";
import type { Model, Provider } from "@/lib/api/types";

import { useSaveModel, useTestModel } from "../api/models";
import { blankModel, draftOf, draftProblems, inputOf, withProvider, type DraftProblem, type ModelDraft } from "../model/connection";
import styles from "./model-dialog.module.css";
import { ModelFallbacks } from "./model-fallbacks";
import { ModelLimits } from "./model-limits";
import { TestResult } from "./test-result";

interface ModelDialogProps {
  model: Model | null;
  providers: Provider[];
  /** Names of all connections. */
  names: string[];
  onClose: () => void;
}

/** A connection: where, which model, the key, how it is asked, what it costs and may use, who stands in for it. */
export function ModelDialog({ model, providers, names, onClose }: ModelDialogProps) {
  const { t } = useTranslation();
  const save = useSaveModel();
  const test = useTestModel();
  const [id, setId] = useState(model?.id ?? null);
  const [draft, setDraft] = useState<ModelDraft>(() => (model === null ? blankModel(providers[0]) : draftOf(model)));
  const [tried, setTried] = useState(false);
  const problems = draftProblems(draft);
  const problem = useProblem(tried ? problems : []);

  function store(then: (saved: Model) => void): void {
    setTried(true);
    if (problems.length > 0) return;
    save.mutate(
      { id, input: inputOf(draft) },
      {
        onSuccess: (saved) => {
          setId(saved.id);
          setDraft(draftOf(saved));
          then(saved);
        },
      },
    );
  }

  return (
    <Dialog
      open
      onClose={onClose}
      as="drawer"
      title={model === null ? t("settings.models.add") : t("settings.models.edit", { name: model.name })}
      footer={
        <>
          <Button busy={test.isPending} disabled={save.isPending} onClick={() => store((saved) => test.mutate(saved.id))}>{t("settings.models.save_and_test")}</Button>
          <Button kind="primary" busy={save.isPending} onClick={() => store(onClose)}>{t("common.save")}</Button>
        </>
      }
    >
      <form
        className={styles["form"]}
        onSubmit={(event) => {
          event.preventDefault();
          store(onClose);
        }}
      >
        <Where draft={draft} providers={providers} problems={tried ? problems : []} onChange={setDraft} />
        <Key draft={draft} stored={model} provider={providers.find((each) => each.name === draft.provider)} onChange={setDraft} />
        <HowAndPrice draft={draft} problems={problems} onChange={setDraft} />
        <ModelLimits draft={draft} stored={model} problem={problem} onChange={setDraft} />
        <ModelFallbacks chosen={draft.fallbacks} names={names.filter((name) => name !== draft.name && name !== model?.name)} onChange={(fallbacks) => setDraft({ ...draft, fallbacks })} />
        {save.error !== null && <ErrorState error={save.error} title={t("settings.models.not_saved")} compact />}
        <TestResult test={test} />
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

interface PartProps {
  draft: ModelDraft;
  onChange: (draft: ModelDraft) => void;
}

function useProblem(problems: DraftProblem[]): (field: DraftProblem["field"]) => string | undefined {
  const { t } = useTranslation();
  return (field) => {
    const found = problems.find((problem) => problem.field === field);
    return found && t(`settings.problem.${found.problem}`);
  };
}

function Where({ draft, providers, problems, onChange }: PartProps & { providers: Provider[]; problems: DraftProblem[] }) {
  const { t } = useTranslation();
  const problem = useProblem(problems);
  const preset = providers.find((provider) => provider.name === draft.provider);
  return (
    <>
      <Field label={t("settings.models.provider")}>
        {(control) => (
          <Select
            {...control}
            value={draft.provider}
            options={providers.map(({ name, title }) => ({ value: name, label: title }))}
            onChange={(event) => {
              const next = providers.find((provider) => provider.name === event.target.value);
              if (next !== undefined) onChange(withProvider(draft, next, providers));
            }}
          />
        )}
      </Field>
      {preset !== undefined && preset.quirks.length > 0 && (
        <ul className={styles["quirks"]} aria-label={t("settings.models.quirks")}>
          {preset.quirks.map((quirk) => <li key={quirk}>{quirk}</li>)}
        </ul>
      )}
      <Field label={t("settings.models.name")} hint={t("settings.models.name_hint")} problem={problem("name")}>
        {(control) => <Input {...control} mono value={draft.name} onChange={(event) => onChange({ ...draft, name: event.target.value })} />}
      </Field>
      <Field label={t("settings.models.base_url")} hint={preset !== undefined && preset.url_example !== "" ? t("settings.models.base_url_hint", { example: preset.url_example }) : undefined}>
        {(control) => <Input {...control} mono type="url" placeholder={preset === undefined || preset.url_example === "" ? preset?.base_url : preset.url_example} value={draft.base_url} onChange={(event) => onChange({ ...draft, base_url: event.target.value })} />}
      </Field>
      <Field label={t("settings.models.model")} hint={t("settings.models.model_hint")}>
        {(control) => <Input {...control} mono value={draft.model} onChange={(event) => onChange({ ...draft, model: event.target.value })} />}
      </Field>
    </>
  );
}

/** The key goes in and never comes out: what is stored shows as its last characters. */
function Key({ draft, stored, provider, onChange }: PartProps & { stored: Model | null; provider: Provider | undefined }) {
  const { t } = useTranslation();
  const hasKey = stored?.has_key === true;
  const keptHint = stored?.key_hint === "" ? t("settings.models.key_kept") : t("settings.models.key_kept_hint", { hint: stored?.key_hint });
  return (
    <div className={styles["key"]}>
      <Field label={t("settings.models.key")} hint={hasKey ? t("settings.models.key_write_only") : provider?.needs_key === true ? t("settings.models.key_needed", { variable: provider.key_env }) : t("settings.models.key_optional")}>
        {(control) => (
          <Input
            {...control}
            mono
            type="password"
            autoComplete="new-password"
            disabled={draft.removeKey}
            placeholder={hasKey ? keptHint : ""}
            value={draft.key}
            onChange={(event) => onChange({ ...draft, key: event.target.value })}
          />
        )}
      </Field>
      {hasKey && <Checkbox label={t("settings.models.key_remove")} checked={draft.removeKey} onChange={(event) => onChange({ ...draft, key: "", removeKey: event.target.checked })} />}
    </div>
  );
}

function HowAndPrice({ draft, problems, onChange }: PartProps & { problems: DraftProblem[] }) {
  const { t } = useTranslation();
  const problem = useProblem(problems);
  const text = (field: keyof ModelDraft) => ({
    mono: true,
    inputMode: "decimal" as const,
    value: String(draft[field]),
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => onChange({ ...draft, [field]: event.target.value }),
  });
  return (
    <>
      <div className={styles["two"]}>
        <Field label={t("settings.models.temperature")} problem={problem("temperature")}>
          {(control) => <Input {...control} {...text("temperature")} placeholder={t("settings.models.default")} />}
        </Field>
        <Field label={t("settings.models.max_tokens")} problem={problem("max_tokens")}>
          {(control) => <Input {...control} {...text("max_tokens")} placeholder={t("settings.models.default")} />}
        </Field>
      </div>
      <details className={styles["more"]} open={draft.more !== ""}>
        <summary>{t("settings.models.more")}</summary>
        <Field label={t("settings.models.more_label")} hint={t("settings.models.more_hint")} problem={problem("more")}>
          {(control) => <Textarea {...control} mono rows={3} placeholder='{"top_p": 0.9}' value={draft.more} onChange={(event) => onChange({ ...draft, more: event.target.value })} />}
        </Field>
      </details>
      <fieldset className={styles["price"]}>
        <legend>{t("settings.models.price")}</legend>
        <div className={styles["four"]}>
          <Field label={t("settings.models.price_input")} problem={problem("price")}>{(control) => <Input {...control} {...text("price_input")} placeholder="–" />}</Field>
          <Field label={t("settings.models.price_output")}>{(control) => <Input {...control} {...text("price_output")} placeholder="–" />}</Field>
          <Field label={t("settings.models.price_cached")}>{(control) => <Input {...control} {...text("price_cached")} placeholder="–" />}</Field>
          <Field label={t("settings.models.price_write")}>{(control) => <Input {...control} {...text("price_write")} placeholder="–" />}</Field>
        </div>
      </fieldset>
    </>
  );
}
