import { Pencil } from "lucide-react";
import { useTranslation } from "react-i18next";

import { RelativeTime } from "@/components/values";
import type { Event } from "@/generated/events";

import { SeqLink } from "../../details/seq-link";
import { useFromStore, useRunPlace } from "../../model/run-context";
import { editsOf } from "../model/edits";
import { written } from "../model/editable";
import { DiffView } from "./diff-view";
import styles from "./edit-history.module.css";

/** Who changed an event, when, and from what; of an edit, what it changed. */
export function EditHistory({ event }: { event: Event }) {
  const { t } = useTranslation();
  const { store } = useRunPlace().session;
  useFromStore(() => store.edits.length);
  const { payload } = event;
  if (payload.kind === "edit.applied") {
    return (
      <section className={styles["edit"]}>
        <p className={styles["head"]}>{t("debug.edited.of")} <SeqLink seq={payload.target} /></p>
        <DiffView before={written(payload.before)} after={written(payload.after)} label={t("debug.diff.title")} />
      </section>
    );
  }
  return editsOf(store, event.seq).map((edit) => (
    <section key={edit.seq} className={styles["edit"]}>
      <p className={styles["head"]}>
        <Pencil size={13} aria-hidden />
        {t("debug.edited.by", { by: edit.by === "" ? "?" : edit.by })} <RelativeTime at={edit.at} /> <SeqLink seq={edit.seq} />
      </p>
      <DiffView before={written(edit.before)} after={written(edit.after)} label={t("debug.diff.title")} />
    </section>
  ));
}
