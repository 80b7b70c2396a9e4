import { select } from "../model/page-state";
import { useRunPlace } from "../model/run-context";
import styles from "./inspector.module.css";

/** Another event by its number; choosing it selects it everywhere. */
export function SeqLink({ seq }: { seq: number }) {
  const { page, session } = useRunPlace();
  const { store } = session;
  const title = store.has(seq) ? `${store.kind(seq)} · ${store.lanes.get(store.lane(seq))?.name ?? ""}` : undefined;
  return (
    <button
      type="button"
      className={styles["link"]}
      title={title}
      onClick={() => {
        session.ensure(seq, seq);
        select(page, seq);
      }}
    >
      #{seq}
    </button>
  );
}
