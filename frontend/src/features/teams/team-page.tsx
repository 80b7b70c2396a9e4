import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useParams, useSearchParams } from "react-router";

import { PageBar } from "@/components/page-bar";
import { ErrorState, SkeletonRows } from "@/components/states";
import { modelsQuery, teamsQuery } from "@/lib/api/queries";

import { teamQuery } from "./api/teams";
import { TeamEditor } from "./components/team-editor";
import { blankTeam, complete, freeName } from "./model/definition";

/** `/teams/:id`, or `/teams/new`, which may begin as a copy (`?from=`). */
export default function TeamPage() {
  const { id = "" } = useParams();
  return id === "new" ? <NewTeam /> : <StoredTeam key={id} id={id} />;
}

function NewTeam() {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  const teams = useQuery(teamsQuery);
  const models = useQuery(modelsQuery);
  const error = teams.error ?? models.error;
  if (teams.data === undefined || models.data === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void Promise.all([teams.refetch(), models.refetch()])} />;
  }
  const names = teams.data.map((team) => team.name);
  const from = teams.data.find((team) => team.id === search.get("from"));
  const start = from === undefined ? blankTeam(models.data[0]?.name ?? "") : { ...complete(from.definition), name: freeName(names, from.name) };
  return <TeamEditor key={from?.id ?? "new"} id={null} stored={start} version={0} title={t("teams.new")} />;
}

function StoredTeam({ id }: { id: string }) {
  const team = useQuery(teamQuery(id));
  if (team.data === undefined) return team.error === null ? <Loading /> : <ErrorState error={team.error} onRetry={() => void team.refetch()} />;
  return <TeamEditor id={id} stored={complete(team.data.definition)} version={team.data.version} title={team.data.name} />;
}

function Loading() {
  const { t } = useTranslation();
  return (
    <>
      <PageBar crumbs={[{ label: t("shell.teams"), to: "/teams" }, { label: "…" }]} />
      <SkeletonRows rows={10} height={48} />
    </>
  );
}
