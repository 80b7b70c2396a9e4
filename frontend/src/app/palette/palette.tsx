import { Search } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { Keys } from "@/components/keys";

import styles from "./palette.module.css";
import { usePaletteItems } from "./use-palette-items";

/** ⌘K: pages, actions, runs, teams, and text found in the logs. Arrows choose, Enter goes. */
export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles["scrim"]} />
        <Radix.Content className={styles["palette"]} aria-describedby={undefined}>
          <Radix.Title className="hidden-visually">{t("shell.search")}</Radix.Title>
          <PaletteBody onClose={onClose} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const { items, searching, indexed } = usePaletteItems(text);
  const at = Math.min(chosen, Math.max(0, items.length - 1));

  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at]);

  function onKeyDown(event: React.KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") setChosen((at + 1) % Math.max(1, items.length));
    else if (event.key === "ArrowUp") setChosen((at - 1 + items.length) % Math.max(1, items.length));
    else if (event.key === "Enter") {
      items[at]?.run();
      onClose();
    } else return;
    event.preventDefault();
  }

  return (
    <>
      <div className={styles["line"]}>
        <Search size={16} aria-hidden />
        <input
          className={styles["input"]}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
          placeholder={t("shell.palette.placeholder")}
          role="combobox"
          aria-expanded
          aria-controls="palette-list"
          aria-activedescendant={items.length > 0 ? `palette-${String(at)}` : undefined}
          autoFocus
        />
        <Keys keys="escape" />
      </div>
      <div ref={list} id="palette-list" className={styles["list"]} role="listbox" aria-label={t("shell.search")}>
        {items.map((item, index) => (
          <div key={item.id} role="presentation">
            {item.group !== items[index - 1]?.group && <div className={styles["group"]}>{t(item.group)}</div>}
            <div
              id={`palette-${String(index)}`}
              role="option"
              aria-selected={index === at}
              className={styles["item"]}
              onPointerMove={() => setChosen(index)}
              onClick={() => {
                item.run();
                onClose();
              }}
            >
              <span className={styles["icon"]} aria-hidden>{item.icon}</span>
              <span className={styles["label"]}>{item.label}</span>
              {item.detail !== undefined && <span className={styles["detail"]}>{item.detail}</span>}
              {item.keys !== undefined && <Keys keys={item.keys} />}
            </div>
          </div>
        ))}
        {items.length === 0 && (
          <p className={styles["none"]}>{searching ? t("common.loading") : t("shell.palette.none", { text })}</p>
        )}
        {!indexed && <p className={styles["none"]}>{t("shell.palette.indexing")}</p>}
      </div>
    </>
  );
}
