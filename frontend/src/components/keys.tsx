import { keyCaps } from "@/lib/hotkeys";

import styles from "./keys.module.css";

/** Key caps: `mod+k`, `g r`, `?`. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className={styles["keys"]}>
      {keyCaps(keys).map((press, index) => (
        <kbd key={index} className={styles["cap"]}>
          {press.join(" ")}
        </kbd>
      ))}
    </span>
  );
}
