import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "@/components/button";
import { Checkbox, Field, Input, Select } from "@/components/field";
import { useErrorText } from "@/components/states";
import { KINDS } from "@/generated/events";
import { trialQuery, type Breakpoint } from "@/lib/api/breakpoints";

import { faultyField, readNames } from "./breakpoint-words";
import styles from "./breakpoints.module.css";
import { NamePicker } from "./name-picker";
import { TrialResult } from "./trial-result";

interface BreakpointFormProps {
  start: Breakpoint;
  agents: readonly string[];
  tools: readonly string[];
  /** Id or name of the team on whose past runs it is tried; "" for all. */
  team: string;
  saving: boolean;
  /** What the server said when it refused to save, by field. */
  refused: Record<string, string>;
  onSave: (breakpoint: Breakpoint) => void;
  onCancel: () => void;
}

const STOPS = ["", "error", "conflict", "loop"] as const;
const RESTS_MS = 450;

/** One breakpoint, tried on past runs while it is written. */
export function BreakpointForm({ start, agents, tools, team, saving, refused, onSave, onCancel }: BreakpointFormProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [draft, setDraft] = useState(start);
  const change = (part: Partial<Breakpoint>) => setDraft({ ...draft, ...part });
  const rested = useRested(draft, RESTS_MS);
  const trial = useQuery(trialQuery([{ ...rested, enabled: true }], team));
  const said = trial.error === null ? "" : errorText(trial.error).message;
  const field = faultyField(said);
  const problem = (name: keyof Breakpoint) => refused[name] ?? (said !== "" && field === name ? said : undefined);
  const ofKinds = draft.stop_on === "";
  return (
    <form
      className={styles["form"]}
      aria-label={t("debug.break.form")}
      onSubmit={(event) => {
        event.preventDefault();
        onSave(draft);
      }}
    >
      <div className={styles["two"]}>
        <Field label={t("debug.break.stop_on")}>
          {(control) => (
            <Select
              {...control}
              value={draft.stop_on}
              options={STOPS.map((each) => ({ value: each, label: t(`debug.break.on.${each === "" ? "kind" : each}`) }))}
              onChange={(event) => change({ stop_on: event.target.value as Breakpoint["stop_on"], ...(event.target.value !== "" && { when: "after", kinds: [] }) })}
            />
          )}
        </Field>
        <Field label={t("debug.break.when")} problem={problem("when")} hint={ofKinds ? undefined : t("debug.break.when_fixed")}>
          {(control) => (
            <Select
              {...control}
              disabled={!ofKinds}
              value={draft.when}
              options={(["after", "before"] as const).map((each) => ({ value: each, label: t(`debug.break.${each}`) }))}
              onChange={(event) => change({ when: event.target.value as Breakpoint["when"] })}
            />
          )}
        </Field>
      </div>
      {ofKinds && <KindsField kinds={draft.kinds} problem={problem("kinds")} onChange={(kinds) => change({ kinds })} />}
      <NamePicker label={t("debug.break.agents")} all={t("debug.break.any_agent")} known={agents} chosen={draft.agents} onChange={(next) => change({ agents: next })} />
      <NamePicker label={t("debug.break.tools")} all={t("debug.break.any_tool")} known={tools} chosen={draft.tools} onChange={(next) => change({ tools: next })} />
      <Field label={t("debug.break.condition")} hint={t("debug.break.condition_hint")} problem={problem("condition")}>
        {(control) => (
          <Input {...control} mono placeholder={'error contains "division" and steps > 3'} value={draft.condition} onChange={(event) => change({ condition: event.target.value })} />
        )}
      </Field>
      <div className={styles["three"]}>
        <Count label={t("debug.break.from_hit")} value={draft.from_hit} problem={problem("from_hit")} onChange={(from_hit) => change({ from_hit })} />
        <Count label={t("debug.break.every")} value={draft.every} problem={problem("every")} onChange={(every) => change({ every })} />
        <Checkbox label={t("debug.break.once")} checked={draft.once} onChange={(event) => change({ once: event.target.checked })} />
      </div>
      <Field label={t("debug.break.log")} hint={t("debug.break.log_hint")} problem={problem("log")}>
        {(control) => <Input {...control} mono placeholder="{agent} called {tool}" value={draft.log} onChange={(event) => change({ log: event.target.value })} />}
      </Field>
      <Field label={t("debug.break.note")} hint={t("debug.break.note_hint")}>
        {(control) => <Input {...control} value={draft.note} onChange={(event) => change({ note: event.target.value })} />}
      </Field>
      {(refused[""] ?? (field === "" ? said : "")) !== "" && <p className={styles["problem"]} role="alert">{refused[""] ?? said}</p>}
      {trial.error === null && <TrialResult trial={trial.data} waiting={trial.isFetching || rested !== draft} logs={draft.log !== ""} />}
      <div className={styles["buttons"]}>
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
        <Button kind="primary" type="submit" busy={saving} disabled={said !== "" && rested === draft}>{t("debug.break.save")}</Button>
      </div>
    </form>
  );
}

function KindsField({ kinds, problem, onChange }: { kinds: string[]; problem: string | undefined; onChange: (kinds: string[]) => void }) {
  const { t } = useTranslation();
  const list = useId();
  const [typed, setTyped] = useState(kinds.join(", "));
  return (
    <Field label={t("debug.break.kinds")} hint={t("debug.break.kinds_hint")} problem={problem}>
      {(control) => (
        <>
          <Input
            {...control}
            mono
            autoFocus
            list={list}
            placeholder="tool.failed, llm.*"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              onChange(readNames(event.target.value));
            }}
          />
          <datalist id={list}>
            {KINDS.map((kind) => <option key={kind} value={kind} />)}
          </datalist>
        </>
      )}
    </Field>
  );
}

function Count({ label, value, problem, onChange }: { label: string; value: number; problem: string | undefined; onChange: (value: number) => void }) {
  return (
    <Field label={label} problem={problem}>
      {(control) => <Input {...control} type="number" min={1} value={String(value)} onChange={(event) => onChange(Number(event.target.value) || 0)} />}
    </Field>
  );
}

/** The value as it was when the typing rested. */
function useRested<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
}
