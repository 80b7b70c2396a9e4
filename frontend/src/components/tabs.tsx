import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

import styles from "./tabs.module.css";

export interface Tab<Name extends string> {
  name: Name;
  label: ReactNode;
  /** A count or mark after the word. */
  mark?: ReactNode;
}

interface TabsProps<Name extends string> {
  tabs: Tab<Name>[];
  value: Name;
  onChange: (name: Name) => void;
  label: string;
  /** At the right end of the row of tabs. */
  extra?: ReactNode;
  children: ReactNode;
}

/** A row of tabs over the chosen one's content, which the caller draws. Arrow keys move. */
export function Tabs<Name extends string>({ tabs, value, onChange, label, extra, children }: TabsProps<Name>) {
  return (
    <Radix.Root className={styles["root"]} value={value} onValueChange={(next) => onChange(next as Name)}>
      <div className={styles["row"]}>
        <Radix.List className={styles["list"]} aria-label={label}>
          {tabs.map((tab) => (
            <Radix.Trigger key={tab.name} value={tab.name} className={styles["tab"]}>
              {tab.label}
              {tab.mark}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {extra}
      </div>
      <Radix.Content value={value} className={styles["content"]} tabIndex={-1}>
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}
