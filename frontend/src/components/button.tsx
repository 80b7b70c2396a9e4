import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { Link, type To } from "react-router";

import styles from "./button.module.css";
import { classNames } from "./class-names";
import { Tooltip } from "./tooltip";

export type ButtonKind = "primary" | "plain" | "quiet" | "danger";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind;
  icon?: ReactNode;
  /** Shows that the work goes on, and takes no second press. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** A button with words. `plain` is the default; one `primary` a page. */
export function Button({ kind = "plain", icon, busy = false, children, className, disabled, type = "button", ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={classNames(styles["button"], styles[kind], className)}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      data-has-icon={icon !== undefined || undefined}
      {...rest}
    >
      {busy ? <span className={styles["spinner"]} aria-hidden /> : icon}
      {children !== undefined && <span className={styles["label"]}>{children}</span>}
    </button>
  );
}

/** Looks like a button and goes somewhere. */
export function ButtonLink({ to, kind = "plain", icon, children, className }: { to: To; kind?: ButtonKind; icon?: ReactNode; children?: ReactNode; className?: string }) {
  return (
    <Link to={to} className={classNames(styles["button"], styles[kind], className)} data-has-icon={icon !== undefined || undefined}>
      {icon}
      <span className={styles["label"]}>{children}</span>
    </Link>
  );
}

interface IconButtonProps extends Omit<ButtonProps, "children" | "icon"> {
  /** Said by screen readers and shown on hover. */
  label: string;
  /** Its key, shown in the tooltip. */
  keys?: string;
  pressed?: boolean;
  children: ReactNode;
}

/** A button that is only a sign; its words are the tooltip. */
export function IconButton({ label, keys, pressed, kind = "quiet", children, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} {...(keys !== undefined && { keys })}>
      <button
        type="button"
        aria-label={label}
        aria-pressed={pressed}
        className={classNames(styles["button"], styles["icon"], styles[kind], className)}
        {...rest}
      >
        {children}
      </button>
    </Tooltip>
  );
}
