import { Field, Input } from "@/components/field";

interface NumberFieldProps {
  label: string;
  value: number | null;
  step: number;
  min: number;
  /** What an empty field means. */
  none: string;
  problem?: string | undefined;
  onChange: (value: number | null) => void;
}

/** A number that may be left out. */
export function NumberField({ label, value, step, min, none, problem, onChange }: NumberFieldProps) {
  return (
    <Field label={label} problem={problem}>
      {(control) => (
        <Input
          {...control}
          mono
          type="number"
          step={step}
          min={min}
          value={value ?? ""}
          placeholder={none}
          onChange={(event) => onChange(event.target.value === "" ? null : event.target.valueAsNumber)}
        />
      )}
    </Field>
  );
}
