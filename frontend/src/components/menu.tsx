import { DropdownMenu } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

import { classNames } from "./class-names";
import { Keys } from "./keys";
import styles from "./menu.module.css";

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  keys?: string;
  danger?: boolean;
  disabled?: boolean;
  checked?: boolean;
  onSelect: () => void;
}

/** Actions behind one button. `null` among the items draws a hairline. */
export function Menu({ trigger, items, align = "end" }: { trigger: ReactElement; items: (MenuItem | null)[]; align?: "start" | "end" }) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={styles["menu"]} align={align} sideOffset={4} collisionPadding={8}>
          {items.map((item, index) =>
            item === null ? (
              <DropdownMenu.Separator key={index} className={styles["line"]} />
            ) : (
              <DropdownMenu.Item
                key={index}
                className={classNames(styles["item"], item.danger === true && styles["danger"])}
                disabled={item.disabled === true}
                onSelect={item.onSelect}
                aria-checked={item.checked}
              >
                <span className={styles["icon"]}>{item.checked === true ? "✓" : item.icon}</span>
                <span className={styles["label"]}>{item.label}</span>
                {item.keys !== undefined && <Keys keys={item.keys} />}
              </DropdownMenu.Item>
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
