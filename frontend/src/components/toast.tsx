import { X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { useTranslation } from "react-i18next";
import { create } from "zustand";

import { Button, IconButton } from "./button";
import { StatusMark, type Mark } from "./status-mark";
import styles from "./toast.module.css";

interface ToastMessage {
  id: number;
  text: string;
  mark?: Mark;
  /** Offers to take it back. */
  undo?: () => void;
  /** Called once when it goes without an undo: the moment to do what cannot be taken back. */
  onGone?: () => void;
}

interface ToastState {
  toasts: ToastMessage[];
}

const useToasts = create<ToastState>(() => ({ toasts: [] }));
let nextId = 1;

/** Says something in the corner for a few seconds, with an undo where there is one. */
export function toast(message: Omit<ToastMessage, "id">): void {
  const id = nextId;
  nextId += 1;
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts, { ...message, id }] }));
}

function take(id: number): ToastMessage | undefined {
  const found = useToasts.getState().toasts.find((each) => each.id === id);
  if (found !== undefined) {
    useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((each) => each.id !== id) }));
  }
  return found;
}

const undone = (id: number) => take(id)?.undo?.();
const gone = (id: number) => take(id)?.onGone?.();

// Leaving the page with an undo still open: what was asked for is done, not forgotten.
window.addEventListener("pagehide", () => {
  for (const { id } of useToasts.getState().toasts) gone(id);
});

/** Where toasts appear; once in the shell. Hovering holds them. */
export function Toaster() {
  const { t } = useTranslation();
  const toasts = useToasts((state) => state.toasts);
  return (
    <Radix.Provider swipeDirection="right" duration={6_000}>
      {toasts.map(({ id, text, mark, undo }) => (
        <Radix.Root key={id} className={styles["toast"]} onOpenChange={(open) => !open && gone(id)}>
          {mark !== undefined && <StatusMark status={mark} word={false} />}
          <Radix.Description className={styles["text"]}>{text}</Radix.Description>
          {undo !== undefined && (
            <Radix.Action asChild altText={t("common.undo")} onClick={() => undone(id)}>
              <Button kind="quiet" className={styles["undo"]}>{t("common.undo")}</Button>
            </Radix.Action>
          )}
          <Radix.Close asChild>
            <IconButton label={t("common.close")}>
              <X />
            </IconButton>
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className={styles["viewport"]} />
    </Radix.Provider>
  );
}
