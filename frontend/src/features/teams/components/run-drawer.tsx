import { useTranslation } from "react-i18next";

import { Dialog } from "@/components/dialog";
import { RunComposer } from "@/components/run-composer";
import type { Team } from "@/lib/api/types";

/** A question or a task for one team; starting goes to the run's page. */
export function RunDrawer({ team, onClose }: { team: Team | null; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open={team !== null} onClose={onClose} as="drawer" title={t("teams.run_title", { name: team?.name ?? "" })}>
      {team !== null && <RunComposer teams={[team]} pickTask autoFocus />}
    </Dialog>
  );
}
