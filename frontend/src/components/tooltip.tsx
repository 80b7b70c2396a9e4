import { Tooltip as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

import { Keys } from "./keys";
import styles from "./tooltip.module.css";

/** Words on hover and focus of its one child, which must take a ref and props. */
export function Tooltip({ text, keys, side = "bottom", children }: { text: ReactNode; keys?: string; side?: "top" | "bottom" | "left" | "right"; children: ReactElement }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles["tip"]} side={side} sideOffset={6} collisionPadding={8}>
          <span>{text}</span>
          {keys !== undefined && <Keys keys={keys} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Once round the whole application: tooltips share one delay. */
export const TooltipProvider = Radix.Provider;
