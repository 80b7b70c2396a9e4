import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";

import { Button } from "@/components/button";
import { Field, Input, Select } from "@/components/field";
import { Panel } from "@/components/panel";
import { StatusMark } from "@/components/status-mark";
import { toast } from "@/components/toast";
import { modelsQuery, rolesQuery, toolsQuery } from "@/lib/api/queries";
import type { Limits, Problem, TeamDefinition } from "@/lib/api/types";

import { agentAdded, agentMoved, agentRemoved, withAgent } from "../model/definition";
import { elsewhere, formPlaces, problemWithin } from "../model/problems";
import { AgentCard } from "./agent-card";
import { NumberField } from "./number-field";
import { PolicyPanel } from "./policy-panel";
import styles from "./team-form.module.css";

const LIMITS: { name: keyof Limits; step: number; min: number }[] = [
  { name: "steps", step: 1, min: 1 },
  { name: "tokens", step: 1000, min: 1 },
  { name: "seconds", step: 10, min: 1 },
  { name: "cost_usd", step: 0.01, min: 0 },
];

interface TeamFormProps {
  team: TeamDefinition;
  problems: Problem[];
  onChange: (team: TeamDefinition) => void;
}

/** The team field by field; each problem stands at its field. */
export function TeamForm({ team, problems, onChange }: TeamFormProps) {
  const { t } = useTranslation();
  const roles = useQuery(rolesQuery);
  const tools = useQuery(toolsQuery);
  const models = useQuery(modelsQuery);
  const choices = { roles: roles.data ?? [], tools: tools.data ?? [], models: models.data ?? [] };
  const homeless = elsewhere(problems, formPlaces(team.agents.length));

  function remove(index: number): void {
    onChange(agentRemoved(team, index));
    toast({ text: t("teams.agent.removed", { name: team.agents[index]?.name ?? "" }), undo: () => onChange(team) });
  }

  return (
    <div className={styles["form"]}>
      <p className={styles["wider"]}>{t("teams.wider")}</p>
      {homeless.map((problem) => (
        <p key={problem.where + problem.message} className={styles["problem"]}>
          <StatusMark status="error" word={false} /> {problem.message}
        </p>
      ))}
      <Panel title={t("teams.team")}>
        <div className={styles["fields"]}>
          <div className={styles["oneTwo"]}>
            <Field label={t("teams.name")} problem={problemWithin(problems, "name")}>
              {(control) => <Input {...control} value={team.name} placeholder={t("teams.name_placeholder")} onChange={(event) => onChange({ ...team, name: event.target.value })} />}
            </Field>
            <Field label={t("teams.description")} problem={problemWithin(problems, "description")}>
              {(control) => <Input {...control} value={team.description} onChange={(event) => onChange({ ...team, description: event.target.value })} />}
            </Field>
          </div>
          <div className={styles["twoOne"]}>
            <Field label={t("teams.topology")} hint={t(`teams.topology_hint.${team.topology === "single" ? "single" : "pipeline"}`)} problem={problemWithin(problems, "topology")}>
              {(control) => (
                <Select
                  {...control}
                  value={team.topology}
                  options={["pipeline", "single"].map((value) => ({ value, label: t(`teams.topology.${value}`) }))}
                  onChange={(event) => onChange({ ...team, topology: event.target.value })}
                />
              )}
            </Field>
            {team.topology !== "single" && (
              <Field label={t("teams.max_rounds")} hint={t("teams.max_rounds_hint")} problem={problemWithin(problems, "max_rounds")}>
                {(control) => <Input {...control} mono type="number" min={0} step={1} value={team.max_rounds} onChange={(event) => onChange({ ...team, max_rounds: Math.max(0, Math.round(event.target.valueAsNumber || 0)) })} />}
              </Field>
            )}
          </div>
        </div>
      </Panel>

      <div className={styles["agents"]}>
        <h2 className={styles["heading"]}>{t("teams.agents")} <span className={styles["count"]}>{team.agents.length}</span></h2>
        {team.agents.map((agent, index) => (
          <AgentCard
            key={index}
            agent={agent}
            index={index}
            count={team.agents.length}
            choices={choices}
            problems={problems}
            onChange={(change) => onChange(withAgent(team, index, change))}
            onMove={(to) => onChange(agentMoved(team, index, to))}
            onRemove={() => remove(index)}
          />
        ))}
        <Button icon={<Plus />} className={styles["add"]} onClick={() => onChange(agentAdded(team, choices.models[0]?.name ?? ""))}>
          {t("teams.agent.add")}
        </Button>
      </div>

      <Panel title={t("teams.limits")}>
        <div className={styles["four"]}>
          {LIMITS.map(({ name, step, min }) => (
            <NumberField
              key={name}
              label={t(`teams.limit.${name}`)}
              value={team.limits[name]}
              step={step}
              min={min}
              none={t("teams.limit_none")}
              problem={problemWithin(problems, `limits.${name}`)}
              onChange={(value) => onChange({ ...team, limits: { ...team.limits, [name]: value } })}
            />
          ))}
        </div>
      </Panel>

      <PolicyPanel team={team} problems={problems} onChange={onChange} />
    </div>
  );
}
