import { useTranslation } from "react-i18next";

import { Dialog } from "@/components/dialog";
import { Keys } from "@/components/keys";
import { useHotkeyRegistry, type Hotkey } from "@/lib/hotkeys";

import styles from "./help.module.css";

/** All keys that do something here and now, from the registry. */
export function Help({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const hotkeys = useHotkeyRegistry((state) => state.hotkeys);
  const groups = grouped(hotkeys);
  return (
    <Dialog open={open} onClose={onClose} title={t("shell.keys")} size="large">
      <div className={styles["groups"]}>
        {[...groups].map(([group, list]) => (
          <section key={group} className={styles["group"]}>
            <h3 className={styles["title"]}>{t(group)}</h3>
            <dl>
              {list.map((hotkey) => (
                <div key={hotkey.keys} className={styles["line"]}>
                  <dt>{t(hotkey.label)}</dt>
                  <dd>
                    <Keys keys={hotkey.keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** By heading, in the order of registration; a key taken over by a later part is listed once. */
function grouped(hotkeys: readonly Hotkey[]): Map<string, Hotkey[]> {
  const last = new Map(hotkeys.map((hotkey) => [hotkey.keys, hotkey]));
  const groups = new Map<string, Hotkey[]>();
  for (const hotkey of last.values()) {
    groups.set(hotkey.group, [...(groups.get(hotkey.group) ?? []), hotkey]);
  }
  return groups;
}
