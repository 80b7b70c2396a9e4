import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Field, Textarea } from "@/components/field";
import { Tabs } from "@/components/tabs";

import { fieldsOf, kindsFor, readObject, turned, type EditField, type Fields } from "../model/editable";
import { CallsField } from "./calls-field";
import styles from "./dialogs.module.css";

interface PayloadFormProps {
  value: Fields;
  onChange: (value: Fields) => void;
  /** What the server or the form finds wrong, by field; "" is the whole. */
  problems: Record<string, string>;
  /** False while what is typed as JSON cannot be read. */
  onReadable: (readable: boolean) => void;
}

/** A payload as a form of its kind, or as JSON; both change the same draft. */
export function PayloadForm({ value, onChange, problems, onReadable }: PayloadFormProps) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<"form" | "json">("form");
  return (
    <div className={styles["form"]}>
      <Tabs<"form" | "json">
        label={t("debug.form.views")}
        value={tab}
        onChange={(next) => {
          onReadable(true);
          setTab(next);
        }}
        tabs={[
          { name: "form", label: t("debug.form.form") },
          { name: "json", label: "JSON" },
        ]}
      >
        <div className={styles["fields"]}>
          {tab === "json" ? (
            <JsonForm value={value} onChange={onChange} onReadable={onReadable} problem={problems[""] ?? Object.values(problems)[0]} />
          ) : (
            <KindForm value={value} onChange={onChange} problems={problems} />
          )}
        </div>
      </Tabs>
    </div>
  );
}

function KindForm({ value, onChange, problems }: Omit<PayloadFormProps, "onReadable">) {
  const { t } = useTranslation();
  const kind = String(value["kind"]);
  const kinds = kindsFor(kind);
  return (
    <>
      {kinds.length > 1 && (
        <div className={styles["choice"]} role="radiogroup" aria-label={t("debug.form.outcome")}>
          {kinds.map((each) => (
            <button key={each} type="button" role="radio" aria-checked={each === kind} onClick={() => onChange(turned(value, each))}>
              {t(`debug.outcome.${each}`)}
            </button>
          ))}
        </div>
      )}
      {fieldsOf(kind).map((field, index) => (
        <OneField
          key={`${kind}.${field.name}`}
          field={field}
          value={value[field.name]}
          problem={problems[field.name]}
          autoFocus={index === 0}
          onChange={(next) => onChange({ ...value, [field.name]: next })}
        />
      ))}
      {problems[""] !== undefined && <p className={styles["problem"]} role="alert">{problems[""]}</p>}
    </>
  );
}

interface OneFieldProps {
  field: EditField;
  value: unknown;
  problem: string | undefined;
  autoFocus: boolean;
  onChange: (value: unknown) => void;
}

function OneField({ field, value, problem, autoFocus, onChange }: OneFieldProps) {
  const { t } = useTranslation();
  const label = t(`debug.field.${field.name}`);
  if (field.shape === "calls") return <CallsField label={label} value={value} problem={problem} onChange={onChange} />;
  const lines = field.shape === "lines";
  const text = lines ? (Array.isArray(value) ? value.join("\n") : "") : String(value ?? "");
  return (
    <Field label={label} hint={lines ? t("debug.form.lines_hint") : undefined} problem={problem}>
      {(control) => (
        <Textarea
          {...control}
          mono
          autoFocus={autoFocus}
          rows={lines ? 5 : 4}
          value={text}
          onChange={(event) => onChange(lines ? event.target.value.split("\n") : event.target.value)}
        />
      )}
    </Field>
  );
}

interface JsonFormProps {
  value: Fields;
  onChange: (value: Fields) => void;
  onReadable: (readable: boolean) => void;
  problem: string | undefined;
}

function JsonForm({ value, onChange, onReadable, problem }: JsonFormProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(() => JSON.stringify(value, null, 2));
  const read = readObject(typed);
  const fault = typeof read === "string" ? (read === "{}" ? t("debug.form.json_object") : t("debug.form.json_fault", { fault: read })) : problem;
  return (
    <Field label="JSON" hint={t("debug.form.json_hint")} problem={fault}>
      {(control) => (
        <Textarea
          {...control}
          mono
          autoFocus
          rows={14}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            const next = readObject(event.target.value);
            onReadable(typeof next !== "string");
            if (typeof next !== "string") onChange(next);
          }}
        />
      )}
    </Field>
  );
}
