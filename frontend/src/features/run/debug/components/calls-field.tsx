import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Button, IconButton } from "@/components/button";
import { Field, Input, Textarea } from "@/components/field";

import { readObject } from "../model/editable";
import styles from "./dialogs.module.css";

type Call = Record<string, unknown>;

interface CallsFieldProps {
  label: string;
  value: unknown;
  problem: string | undefined;
  onChange: (calls: Call[]) => void;
}

/** The tool calls of a model's answer: a name and arguments each. */
export function CallsField({ label, value, problem, onChange }: CallsFieldProps) {
  const { t } = useTranslation();
  const calls = Array.isArray(value) ? (value as Call[]) : [];
  const change = (index: number, call: Call) => onChange(calls.map((old, at) => (at === index ? call : old)));
  return (
    <fieldset className={styles["calls"]}>
      <legend>{label}</legend>
      {calls.map((call, index) => (
        <div key={index} className={styles["callRow"]}>
          <Field label={t("debug.form.call_name", { number: index + 1 })}>
            {(control) => <Input {...control} mono value={String(call["name"] ?? "")} onChange={(event) => change(index, { ...call, name: event.target.value })} />}
          </Field>
          <Arguments call={call} number={index + 1} onChange={(next) => change(index, next)} />
          <IconButton label={t("debug.form.call_remove", { number: index + 1 })} onClick={() => onChange(calls.filter((_, at) => at !== index))}>
            <Trash2 size={14} />
          </IconButton>
        </div>
      ))}
      <Button icon={<Plus />} onClick={() => onChange([...calls, { id: freeCallId(calls), name: "", arguments: {} }])}>{t("debug.form.call_add")}</Button>
      {problem !== undefined && <p className={styles["problem"]} role="alert">{problem}</p>}
    </fieldset>
  );
}

function Arguments({ call, number, onChange }: { call: Call; number: number; onChange: (call: Call) => void }) {
  const { t } = useTranslation();
  const given = call["arguments"];
  const [typed, setTyped] = useState(() => (given === null || given === undefined ? String(call["raw"] ?? "") : JSON.stringify(given)));
  const fault = typeof readObject(typed) === "string" ? t("debug.form.json_object") : undefined;
  return (
    <Field label={t("debug.form.call_arguments", { number })} problem={fault}>
      {(control) => (
        <Textarea
          {...control}
          mono
          rows={2}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            const read = readObject(event.target.value);
            // What cannot be read reaches the agent as a malformed call, as from a model.
            onChange(typeof read === "string" ? { ...call, arguments: null, raw: event.target.value } : { id: call["id"], name: call["name"], arguments: read });
          }}
        />
      )}
    </Field>
  );
}

function freeCallId(calls: Call[]): string {
  let number = calls.length + 1;
  while (calls.some((call) => call["id"] === `call-${String(number)}`)) number += 1;
  return `call-${String(number)}`;
}
