import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { BreakpointsPanel } from "@/components/breakpoints/breakpoints-panel";
import { ErrorState, SkeletonRows } from "@/components/states";
import { completeBreakpoint, freeId, saveTeamBreakpoints, teamBreakpointsQuery, type TeamBreakpoints as Stored } from "@/lib/api/breakpoints";
import { rolesQuery } from "@/lib/api/queries";
import type { TeamDefinition } from "@/lib/api/types";

import { stepNames } from "./step-names";
import styles from "./team-breakpoints.module.css";

/** Where the team's runs stop. Saved at once and apart from the definition, so its version stays. */
export function TeamBreakpoints({ teamId, team }: { teamId: string; team: TeamDefinition }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const stored = useQuery(teamBreakpointsQuery(teamId));
  const roles = useQuery(rolesQuery);
  const { agents, tools } = stepNames(team, roles.data ?? []);
  if (stored.data === undefined) {
    return stored.error === null ? <SkeletonRows rows={4} height={48} /> : <ErrorState error={stored.error} onRetry={() => void stored.refetch()} />;
  }
  const { breakpoints, unbound } = stored.data;
  return (
    <div className={styles["page"]}>
      <p className={styles["about"]}>{t("debug.break.about_page")}</p>
      <BreakpointsPanel
        breakpoints={breakpoints}
        unbound={unbound}
        agents={agents}
        tools={tools}
        team={teamId}
        blank={() => completeBreakpoint({ id: freeId(breakpoints), stop_on: "error" })}
        save={async (next) => {
          client.setQueryData<Stored>(teamBreakpointsQuery(teamId).queryKey, await saveTeamBreakpoints(teamId, next));
        }}
      />
    </div>
  );
}
