import { useId, type InputHTMLAttributes, type ReactNode, type Ref, type SelectHTMLAttributes, type TextareaHTMLAttributes } from "react";

import { classNames } from "./class-names";
import styles from "./field.module.css";

interface FieldProps {
  label: string;
  /** A quiet line below. */
  hint?: ReactNode;
  /** What is wrong with it; takes the hint's place. */
  problem?: string | undefined;
  /** At the right end of the label's line. */
  extra?: ReactNode;
  /** Gets the ids that tie the control to its words. */
  children: (control: { id: string; "aria-describedby": string; "aria-invalid": true | undefined }) => ReactNode;
}

/** A control with its label, hint and problem. */
export function Field({ label, hint, problem, extra, children }: FieldProps) {
  const id = useId();
  const invalid = problem !== undefined && problem !== "";
  return (
    <div className={styles["field"]}>
      <div className={styles["line"]}>
        <label htmlFor={id} className={styles["label"]}>{label}</label>
        {extra}
      </div>
      {children({ id, "aria-describedby": `${id}-text`, "aria-invalid": invalid || undefined })}
      <div id={`${id}-text`} className={invalid ? styles["problem"] : styles["hint"]}>
        {invalid ? problem : hint}
      </div>
    </div>
  );
}

type InputProps = InputHTMLAttributes<HTMLInputElement> & { mono?: boolean; ref?: Ref<HTMLInputElement> };

/** A line of text. */
export function Input({ mono = false, className, ...rest }: InputProps) {
  return <input className={classNames(styles["control"], mono && styles["mono"], className)} spellCheck={mono ? false : undefined} {...rest} />;
}

type TextareaProps = TextareaHTMLAttributes<HTMLTextAreaElement> & { mono?: boolean; ref?: Ref<HTMLTextAreaElement> };

/** Several lines; grows with its text up to half the window. */
export function Textarea({ mono = false, className, ...rest }: TextareaProps) {
  return <textarea className={classNames(styles["control"], styles["area"], mono && styles["mono"], className)} spellCheck={mono ? false : undefined} {...rest} />;
}

export interface Option {
  value: string;
  label: string;
}

type SelectProps = SelectHTMLAttributes<HTMLSelectElement> & { options: Option[] };

/** The browser's own select: quick, known to every screen reader and phone. */
export function Select({ options, className, value, ...rest }: SelectProps) {
  const known = options.some((option) => option.value === value);
  return (
    <select className={classNames(styles["control"], styles["select"], className)} value={value} {...rest}>
      {!known && value !== undefined && <option value={value}>{String(value)}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>{option.label}</option>
      ))}
    </select>
  );
}

/** A box to tick with its words. */
export function Checkbox({ label, hint, ...rest }: InputHTMLAttributes<HTMLInputElement> & { label: ReactNode; hint?: ReactNode }) {
  return (
    <label className={styles["check"]}>
      <input type="checkbox" {...rest} />
      <span>
        {label}
        {hint !== undefined && <span className={styles["hint"]}>{hint}</span>}
      </span>
    </label>
  );
}
