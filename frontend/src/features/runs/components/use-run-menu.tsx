import { Ban, Download, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";

import type { MenuItem } from "@/components/menu";
import { useErrorText } from "@/components/states";
import { toast } from "@/components/toast";
import { undoableDelete } from "@/components/undoable-delete";
import { useCancelRun, useDeleteRun } from "@/lib/api/run-actions";
import type { Run } from "@/lib/api/types";
import { shortId } from "@/lib/format";

/** What can be done to a run from its row. */
export function useRunMenu(): (run: Run) => (MenuItem | null)[] {
  const { t } = useTranslation();
  const cancel = useCancelRun();
  const remove = useDeleteRun();
  const errorText = useErrorText();
  return (run) => {
    const active = ["queued", "running", "paused", "parked"].includes(run.status);
    const held = run.status === "running" || run.status === "paused";
    return [
      {
        label: t("runs.cancel"),
        icon: <Ban />,
        disabled: !active,
        onSelect: () => cancel.mutate(run.run_id, { onError: (error) => toast({ text: errorText(error).message, mark: "error" }) }),
      },
      { label: t("runs.archive"), icon: <Download />, onSelect: () => window.location.assign(`/api/runs/${run.run_id}/archive`) },
      null,
      {
        label: t("common.delete"),
        icon: <Trash2 />,
        danger: true,
        disabled: held,
        onSelect: () =>
          undoableDelete({
            id: run.run_id,
            text: t("runs.deleted", { id: shortId(run.run_id) }),
            remove: () => remove.mutateAsync(run.run_id),
            onFailure: (error) => errorText(error).message,
          }),
      },
    ];
  };
}
