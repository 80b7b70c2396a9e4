import { Fragment } from "react";
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
              {list.map(({ label, keys }) => (
                <div key={label} className={styles["line"]}>
                  <dt>{t(label)}</dt>
                  <dd className={styles["keys"]}>
                    {keys.map((each, index) => (
                      <Fragment key={each}>
                        {index > 0 && <span className={styles["or"]}>{t("shell.keys.or")}</span>}
                        <Keys keys={each} />
                      </Fragment>
                    ))}
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

interface Line {
  label: string;
  keys: string[];
}

/**
 * By heading, in the order of registration; a key taken over by a later part is listed once, and
 * what several keys do stands on one line.
 */
function grouped(hotkeys: readonly Hotkey[]): Map<string, Line[]> {
  const last = new Map(hotkeys.map((hotkey) => [hotkey.keys, hotkey]));
  const groups = new Map<string, Line[]>();
  for (const { group, label, keys } of last.values()) {
    const lines = groups.get(group) ?? [];
    const same = lines.find((line) => line.label === label);
    if (same === undefined) lines.push({ label, keys: [keys] });
    else same.keys.push(keys);
    groups.set(group, lines);
  }
  return groups;
}
