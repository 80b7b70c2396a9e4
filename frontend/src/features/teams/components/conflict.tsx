import { GitCompareArrows } from "lucide-react";
import { useTranslation } from "react-i18next";

import { Button } from "@/components/button";

import styles from "./conflict.module.css";

/** Somebody saved meanwhile: nothing is overwritten unless it is said here. */
export function Conflict({ message, onTheirs, onMine }: { message: string; onTheirs: () => void; onMine: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={styles["conflict"]} role="alert">
      <GitCompareArrows size={16} aria-hidden />
      <p className={styles["text"]}>
        <strong>{t("teams.conflict")}</strong> {message}
      </p>
      <Button onClick={onTheirs}>{t("teams.conflict.theirs")}</Button>
      <Button onClick={onMine}>{t("teams.conflict.mine")}</Button>
    </div>
  );
}
