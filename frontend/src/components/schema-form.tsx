import { useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { fieldsOf, readForm, readJson, writeForm, type FieldProblem, type FormValues, type Schema, type SchemaField } from "@/lib/json-schema";

import { Button } from "./button";
import { Field, Input, Select, Textarea } from "./field";
import styles from "./schema-form.module.css";

interface SchemaFormProps {
  /** JSON Schema of the arguments object. */
  schema: Schema;
  submit: string;
  icon?: ReactNode;
  busy?: boolean;
  /** Beside the button. */
  extra?: ReactNode;
  onSubmit: (value: Record<string, unknown>) => void;
}

/** A form made from a JSON Schema, or the same as JSON. Ctrl+Enter sends it. */
export function SchemaForm({ schema, submit, icon, busy = false, extra, onSubmit }: SchemaFormProps) {
  const { t } = useTranslation();
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const [values, setValues] = useState<FormValues>({});
  const [json, setJson] = useState<string | null>(null);
  const [problems, setProblems] = useState<Record<string, FieldProblem>>({});
  const [broken, setBroken] = useState("");

  function go(): void {
    if (busy) return;
    if (json !== null) {
      const { value, problem } = readJson(json);
      setBroken(problem ?? "");
      if (value !== undefined) onSubmit(value);
      return;
    }
    const reading = readForm(fields, values);
    setProblems(reading.ok ? {} : reading.problems);
    if (reading.ok) onSubmit(reading.value);
  }

  function turn(): void {
    if (json === null) {
      const reading = readForm(fields, values);
      setJson(JSON.stringify(reading.ok ? reading.value : values, null, 2));
      return;
    }
    const { value, problem } = readJson(json);
    setBroken(problem ?? "");
    if (value === undefined) return;
    setValues(writeForm(fields, value));
    setProblems({});
    setJson(null);
  }

  const set = (name: string, text: string) => {
    setValues((old) => ({ ...old, [name]: text }));
    setProblems((old) => Object.fromEntries(Object.entries(old).filter(([each]) => each !== name)));
  };
  const required = fields.filter((field) => field.required);
  const optional = fields.filter((field) => !field.required);
  return (
    <form
      className={styles["form"]}
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
          event.preventDefault();
          go();
        }
      }}
    >
      {json !== null ? (
        <Field label={t("forms.json")} problem={broken === "" ? undefined : t("forms.json_broken", { why: broken })}>
          {(control) => <Textarea {...control} mono rows={6} value={json} onChange={(event) => setJson(event.target.value)} />}
        </Field>
      ) : (
        <>
          {fields.length === 0 && <p className={styles["none"]}>{t("forms.no_fields")}</p>}
          {required.map((field) => <FormField key={field.name} field={field} text={values[field.name] ?? ""} problem={problems[field.name]} onText={(text) => set(field.name, text)} />)}
          {optional.length > 0 && (
            <details className={styles["optional"]} open={required.length === 0 || optional.some(({ name }) => problems[name] !== undefined) || undefined}>
              <summary>{t("forms.optional", { count: optional.length })}</summary>
              <div className={styles["grid"]}>
                {optional.map((field) => <FormField key={field.name} field={field} text={values[field.name] ?? ""} problem={problems[field.name]} onText={(text) => set(field.name, text)} />)}
              </div>
            </details>
          )}
        </>
      )}
      <div className={styles["line"]}>
        <Button kind="primary" type="submit" icon={icon} busy={busy}>{submit}</Button>
        {extra}
        <Button kind="quiet" onClick={turn}>{json === null ? t("forms.as_json") : t("forms.as_form")}</Button>
      </div>
    </form>
  );
}

function FormField({ field, text, problem, onText }: { field: SchemaField; text: string; problem: FieldProblem | undefined; onText: (text: string) => void }) {
  const { t } = useTranslation();
  const hint = field.description === "" ? undefined : field.description;
  const words = problem === undefined ? undefined : t(`forms.problem.${problem}`);
  return (
    <Field label={field.name} hint={hint} problem={words} extra={<code className={styles["type"]} title={field.type}>{field.kind === "choice" ? "" : field.type}</code>}>
      {(control) => {
        const given = { ...control, value: text, required: false };
        const change = (event: { target: { value: string } }) => onText(event.target.value);
        if (field.kind === "choice" || field.kind === "boolean") {
          const options = field.kind === "boolean" ? ["true", "false"] : field.options;
          return <Select {...given} options={["", ...options].map((value) => ({ value, label: value === "" ? "–" : value }))} onChange={change} />;
        }
        if (field.kind === "long" || field.kind === "lines" || field.kind === "json") {
          return <Textarea {...given} mono rows={field.kind === "long" ? 3 : 2} placeholder={field.kind === "lines" ? t("forms.one_a_line") : undefined} onChange={change} />;
        }
        return <Input {...given} mono inputMode={field.kind === "number" ? "decimal" : undefined} autoComplete="off" onChange={change} />;
      }}
    </Field>
  );
}
