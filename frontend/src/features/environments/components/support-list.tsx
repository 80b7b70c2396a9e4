import { useTranslation } from "react-i18next";

import { StatusMark } from "@/components/status-mark";

import type { Support } from "../api/environments";
import styles from "./support-list.module.css";

/** What of an environment works on the server's machine, and what is missing for the rest. */
export function SupportList({ support }: { support: Support[] }) {
  const { t } = useTranslation();
  const works = support.filter((one) => one.supported);
  const lacks = support.filter((one) => !one.supported);
  return (
    <div className={styles["support"]}>
      {works.length > 0 && (
        <p className={styles["works"]}>
          <StatusMark status="ok" label={t("environments.works")} /> {works.map((one) => one.name).join(" · ")}
        </p>
      )}
      {lacks.map((one) => (
        <p key={one.name} className={styles["lacks"]}>
          <StatusMark status="warning" label={one.name} />
          <span className={styles["why"]}>{one.why}</span>
        </p>
      ))}
    </div>
  );
}
