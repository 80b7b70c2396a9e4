import { useQuery } from "@tanstack/react-query";
import { Boxes, Copy, MoreHorizontal, Play, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";

import { Badge } from "@/components/badge";
import { ButtonLink, IconButton } from "@/components/button";
import { Menu } from "@/components/menu";
import { PageBar } from "@/components/page-bar";
import { EmptyState, ErrorState, SkeletonRows, useErrorText } from "@/components/states";
import { StatusMark } from "@/components/status-mark";
import { Cut, Table, type Column } from "@/components/table";
import { undoableDelete, useHidden } from "@/components/undoable-delete";
import { RelativeTime } from "@/components/values";
import { teamsQuery } from "@/lib/api/queries";
import type { Team } from "@/lib/api/types";

import { useDeleteTeam } from "./api/teams";
import { RunDrawer } from "./components/run-drawer";
import styles from "./teams-page.module.css";

function useColumns(onRun: (team: Team) => void): Column<Team>[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const remove = useDeleteTeam();
  const errorText = useErrorText();
  return [
    {
      id: "name",
      header: t("teams.column.name"),
      cell: (team) => (
        <span className={styles["name"]}>
          <Link to={`/teams/${team.id}`} className={styles["link"]} tabIndex={-1}>{team.name}</Link>
          {team.problems.length > 0 && (
            <span className={styles["problems"]} title={team.problems.map((problem) => problem.message).join("\n")}>
              <StatusMark status="error" label={t("teams.problems", { count: team.problems.length })} />
            </span>
          )}
        </span>
      ),
    },
    { id: "description", header: t("teams.column.description"), width: "30%", wideOnly: true, cell: (team) => <Cut text={team.description} /> },
    {
      id: "agents",
      header: t("teams.column.agents"),
      width: "26%",
      wideOnly: true,
      cell: (team) => (
        <span className={styles["agents"]} title={team.definition.agents.map((agent) => agent.name).join(" → ")}>
          {team.definition.agents.map((agent, index) => (
            <Badge key={index}>{agent.name}</Badge>
          ))}
        </span>
      ),
    },
    { id: "version", header: t("teams.column.version"), width: "64px", align: "right", wideOnly: true, cell: (team) => team.version },
    { id: "when", header: t("teams.column.changed"), width: "104px", align: "right", cell: (team) => <RelativeTime at={team.updated_at} /> },
    {
      id: "menu",
      header: <span className="hidden-visually">{t("teams.column.actions")}</span>,
      width: "92px",
      narrowWidth: "108px",
      align: "right",
      cell: (team) => (
        <span className={styles["actions"]}>
          <IconButton label={t("teams.run")} disabled={team.problems.length > 0} onClick={() => onRun(team)}><Play /></IconButton>
          <Menu
            trigger={<IconButton label={t("teams.column.actions")}><MoreHorizontal /></IconButton>}
            items={[
              { label: t("teams.duplicate"), icon: <Copy />, onSelect: () => void navigate(`/teams/new?from=${team.id}`) },
              null,
              {
                label: t("common.delete"),
                icon: <Trash2 />,
                danger: true,
                onSelect: () =>
                  undoableDelete({
                    id: team.id,
                    text: t("teams.deleted", { name: team.name }),
                    remove: () => remove.mutateAsync(team.id),
                    onFailure: (error) => errorText(error).message,
                  }),
              },
            ]}
          />
        </span>
      ),
    },
  ];
}

/** All teams, those that cannot run marked. */
export default function TeamsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const teams = useQuery(teamsQuery);
  const hidden = useHidden();
  const [running, setRunning] = useState<Team | null>(null);
  const columns = useColumns(setRunning);
  const shown = (teams.data ?? []).filter((team) => !hidden.has(team.id));
  const add = <ButtonLink to="/teams/new" kind="primary" icon={<Plus />}>{t("teams.new")}</ButtonLink>;

  return (
    <>
      <PageBar crumbs={[{ label: t("shell.teams") }]} actions={add} />
      {teams.data === undefined ? (
        teams.error === null ? <SkeletonRows rows={6} /> : <ErrorState error={teams.error} onRetry={() => void teams.refetch()} />
      ) : shown.length === 0 ? (
        <EmptyState icon={<Boxes />} title={t("teams.none")} action={add}>{t("teams.none_text")}</EmptyState>
      ) : (
        <Table label={t("shell.teams")} columns={columns} rows={shown} rowKey={(team) => team.id} onOpen={(team) => void navigate(`/teams/${team.id}`)} />
      )}
      <RunDrawer team={running} onClose={() => setRunning(null)} />
    </>
  );
}
