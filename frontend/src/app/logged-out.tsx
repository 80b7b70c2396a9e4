import { LockKeyhole } from "lucide-react";
import { useTranslation } from "react-i18next";

import { EmptyState } from "@/components/states";

/** Shown in place of the page where the server knows nobody. */
export function LoggedOut() {
  const { t } = useTranslation();
  const next = encodeURIComponent(location.pathname + location.search);
  return (
    <EmptyState
      icon={<LockKeyhole />}
      title={t("shell.logged_out.title")}
      action={<a href={`/login?next=${next}`}>{t("shell.logged_out.action")}</a>}
    >
      {t("shell.logged_out.text")}
    </EmptyState>
  );
}
