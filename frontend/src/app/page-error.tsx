import { useTranslation } from "react-i18next";
import { useRouteError } from "react-router";

import { PageBar } from "@/components/page-bar";
import { ErrorState } from "@/components/states";

/** A page that broke: the frame stays, the fault is told, the rest can be used. */
export function PageError() {
  const { t } = useTranslation();
  const title = t("shell.page_error.title");
  return (
    <>
      <PageBar crumbs={[{ label: title }]} />
      <ErrorState error={useRouteError()} title={title} onRetry={() => location.reload()} />
    </>
  );
}
