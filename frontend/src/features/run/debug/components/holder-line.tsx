import { useTranslation } from "react-i18next";

import { Button } from "@/components/button";
import { exact } from "@/lib/format";

import { useRunPlace } from "../../model/run-context";
import { debugApi } from "../api/debug-api";
import { useDebug } from "../model/debug-context";
import { useCommands } from "../model/use-commands";
import { useHolder } from "../model/use-holder";
import styles from "./banners.module.css";

/** Who holds the debugger; one takes it and gives it back here. */
export function HolderLine() {
  const { t, i18n } = useTranslation();
  const { run } = useRunPlace();
  const { ui } = useDebug();
  const { holder, mine, blocked } = useHolder();
  const { busy, send } = useCommands();
  const take = (wanted: boolean) =>
    void send(async () => {
      const answer = await debugApi.debugger(run.run_id, wanted);
      ui.setState({ holder: answer.holder });
    });
  return (
    <span className={styles["holder"]}>
      {holder === null && t("debug.holder.nobody")}
      {mine && t("debug.holder.you")}
      {blocked && holder !== null && (
        <span role="alert" title={t("debug.holder.until", { time: exact(holder.until, i18n.language) })}>{t("debug.holder.other", { name: holder.by })}</span>
      )}
      {!blocked && (
        <Button kind="quiet" busy={busy} onClick={() => take(!mine)}>{t(mine ? "debug.holder.give" : "debug.holder.take")}</Button>
      )}
    </span>
  );
}
