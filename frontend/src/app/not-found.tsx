import { MapPinOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";

import { ButtonLink } from "@/components/button";
import { PageBar } from "@/components/page-bar";
import { EmptyState } from "@/components/states";

/** An address that no page has. */
export function NotFound() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <>
      <PageBar crumbs={[{ label: t("shell.not_found.title") }]} />
      <EmptyState icon={<MapPinOff />} title={t("shell.not_found.title")} action={<ButtonLink to="/runs">{t("shell.not_found.action")}</ButtonLink>}>
        {t("shell.not_found.text", { path: pathname })}
      </EmptyState>
    </>
  );
}
