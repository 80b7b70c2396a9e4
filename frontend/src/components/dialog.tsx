import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { IconButton } from "./button";
import { classNames } from "./class-names";
import styles from "./dialog.module.css";

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** `drawer` comes in from the right and keeps the page in view. */
  as?: "dialog" | "drawer";
  size?: "small" | "medium" | "large";
  /** Buttons at the foot; stay in view while the content scrolls. */
  footer?: ReactNode;
  children: ReactNode;
}

/** A dialog or a drawer. Escape and a click outside close it; the focus goes back where it was. */
export function Dialog({ open, onClose, title, description, as = "dialog", size = "medium", footer, children }: DialogProps) {
  const { t } = useTranslation();
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles["scrim"]} />
        <Radix.Content
          className={classNames(styles[as], styles[size])}
          // Not on the close button, whose tooltip would open and take the first Escape. What has
          // autoFocus has it before this is asked.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            if (event.target instanceof HTMLElement) event.target.focus();
          }}
          {...(description === undefined && { "aria-describedby": undefined })}
        >
          <header className={styles["head"]}>
            <Radix.Title className={styles["title"]}>{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label={t("common.close")} keys="escape">
                <X />
              </IconButton>
            </Radix.Close>
          </header>
          {description !== undefined && <Radix.Description className={styles["description"]}>{description}</Radix.Description>}
          <div className={styles["body"]}>{children}</div>
          {footer !== undefined && <footer className={styles["foot"]}>{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
