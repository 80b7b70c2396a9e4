import styles from "./breakpoints.module.css";

interface NamePickerProps {
  label: string;
  /** What none chosen means. */
  all: string;
  known: readonly string[];
  chosen: string[];
  onChange: (chosen: string[]) => void;
}

/** Names to switch on and off. A chosen one that is not known any more stays, to be switched off. */
export function NamePicker({ label, all, known, chosen, onChange }: NamePickerProps) {
  const names = [...new Set([...known, ...chosen])];
  if (names.length === 0) return null;
  return (
    <div className={styles["picker"]} role="group" aria-label={label}>
      <span className={styles["pickerLabel"]}>{label}</span>
      <button type="button" aria-pressed={chosen.length === 0} onClick={() => onChange([])}>{all}</button>
      {names.map((name) => {
        const on = chosen.includes(name);
        return (
          <button
            key={name}
            type="button"
            className={known.includes(name) ? undefined : styles["unknown"]}
            aria-pressed={on}
            onClick={() => onChange(on ? chosen.filter((each) => each !== name) : [...chosen, name])}
          >
            {name}
          </button>
        );
      })}
    </div>
  );
}
