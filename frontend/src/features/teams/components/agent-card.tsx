import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";

import { IconButton } from "@/components/button";
import { Field, Input, Select, Textarea } from "@/components/field";
import type { AgentDefinition, Model, Problem, Role, Tool } from "@/lib/api/types";

import { problemWithin } from "../model/problems";
import styles from "./agent-card.module.css";
import { NumberField } from "./number-field";
import { ToolPicker } from "./tool-picker";

export interface Choices {
  roles: Role[];
  tools: Tool[];
  models: Model[];
}

interface AgentCardProps {
  agent: AgentDefinition;
  index: number;
  count: number;
  choices: Choices;
  problems: Problem[];
  onChange: (change: Partial<AgentDefinition>) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

/** One agent: name, role, model; what it is told; what it may call. */
export function AgentCard({ agent, index, count, choices, problems, onChange, onMove, onRemove }: AgentCardProps) {
  const { t } = useTranslation();
  const problem = (field: string) => problemWithin(problems, `agents[${String(index)}].${field}`);
  const role = choices.roles.find((each) => each.name === agent.role);
  const setParameter = (name: string, value: number | null) => {
    const parameters = Object.fromEntries(Object.entries(agent.parameters).filter(([key]) => key !== name));
    onChange({ parameters: value === null ? parameters : { ...parameters, [name]: value } });
  };
  const parameter = (name: string) => (typeof agent.parameters[name] === "number" ? agent.parameters[name] : null);

  return (
    <section
      className={styles["card"]}
      aria-label={agent.name}
      onKeyDown={(event) => {
        if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
        event.preventDefault();
        onMove(index + (event.key === "ArrowUp" ? -1 : 1));
      }}
    >
      <header className={styles["head"]}>
        <span className={styles["number"]}>{index + 1}</span>
        <strong className={styles["title"]}>{agent.name || t("teams.agent.unnamed")}</strong>
        <IconButton label={t("teams.agent.up")} keys="alt+arrowup" disabled={index === 0} onClick={() => onMove(index - 1)}><ArrowUp /></IconButton>
        <IconButton label={t("teams.agent.down")} keys="alt+arrowdown" disabled={index === count - 1} onClick={() => onMove(index + 1)}><ArrowDown /></IconButton>
        <IconButton label={t("teams.agent.remove", { name: agent.name })} onClick={onRemove}><Trash2 /></IconButton>
      </header>
      <div className={styles["body"]}>
        <div className={styles["three"]}>
          <Field label={t("teams.agent.name")} problem={problem("name")}>
            {(control) => <Input {...control} mono value={agent.name} onChange={(event) => onChange({ name: event.target.value })} />}
          </Field>
          <Field label={t("teams.agent.role")} problem={problem("role")}>
            {(control) => (
              <Select
                {...control}
                value={agent.role}
                options={[{ value: "", label: t("teams.agent.no_role") }, ...choices.roles.map(({ name }) => ({ value: name, label: name }))]}
                onChange={(event) => onChange({ role: event.target.value })}
              />
            )}
          </Field>
          <Field
            label={t("teams.agent.model")}
            problem={problem("model")}
            hint={choices.models.length === 0 ? <Link to="/settings">{t("teams.agent.add_model")}</Link> : undefined}
          >
            {(control) => (
              <Select
                {...control}
                value={agent.model}
                options={[...(agent.model === "" ? [{ value: "", label: t("teams.agent.choose_model") }] : []), ...choices.models.map(({ name, model }) => ({ value: name, label: model === "" || model === name ? name : `${name} · ${model}` }))]}
                onChange={(event) => onChange({ model: event.target.value })}
              />
            )}
          </Field>
        </div>
        <Field label={t("teams.agent.instructions")} problem={problem("instructions")} hint={role !== undefined && agent.instructions === "" ? t("teams.agent.role_instructions", { role: role.name }) : undefined}>
          {(control) => (
            <Textarea {...control} value={agent.instructions} placeholder={role?.instructions ?? t("teams.agent.instructions_placeholder")} onChange={(event) => onChange({ instructions: event.target.value })} />
          )}
        </Field>
        <ToolPicker tools={choices.tools} chosen={agent.tools ?? role?.tools ?? []} suggested={role?.tools ?? []} problem={problem("tools")} onChange={(tools) => onChange({ tools })} />
        <div className={styles["three"]}>
          <NumberField label={t("teams.agent.temperature")} value={parameter("temperature")} step={0.1} min={0} none={t("teams.agent.model_default")} problem={problem("parameters")} onChange={(value) => setParameter("temperature", value)} />
          <NumberField label={t("teams.agent.max_tokens")} value={parameter("max_tokens")} step={1} min={1} none={t("teams.agent.model_default")} onChange={(value) => setParameter("max_tokens", value)} />
        </div>
      </div>
    </section>
  );
}
