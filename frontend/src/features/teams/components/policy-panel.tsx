import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Field, Select, Textarea } from "@/components/field";
import { Panel } from "@/components/panel";
import type { ApprovalPolicy, Problem, TeamDefinition } from "@/lib/api/types";

import { approvalOf, networkOf } from "../model/definition";
import { problemWithin } from "../model/problems";
import { NumberField } from "./number-field";
import styles from "./team-form.module.css";

const MODES = ["never", "always", "pattern"] as const;

interface PolicyPanelProps {
  team: TeamDefinition;
  problems: Problem[];
  onChange: (team: TeamDefinition) => void;
}

/** What the team may do by itself: which calls wait for a person, which hosts can be reached. */
export function PolicyPanel({ team, problems, onChange }: PolicyPanelProps) {
  const { t } = useTranslation();
  const approval = approvalOf(team);
  const set = (change: Partial<ApprovalPolicy>) => onChange({ ...team, approval: { ...approval, ...change } });
  return (
    <Panel title={t("teams.policy")}>
      <div className={styles["fields"]}>
        <div className={styles["twoOne"]}>
          <Field label={t("teams.approval.mode")} hint={t(`teams.approval.hint.${approval.mode}`)} problem={problemWithin(problems, "approval.mode")}>
            {(control) => (
              <Select
                {...control}
                value={approval.mode}
                options={MODES.map((value) => ({ value, label: t(`teams.approval.mode.${value}`) }))}
                onChange={(event) => set({ mode: event.target.value as ApprovalPolicy["mode"] })}
              />
            )}
          </Field>
          {approval.mode !== "never" && (
            <NumberField
              label={t("teams.approval.timeout")}
              value={approval.timeout_s}
              step={60}
              min={1}
              none={t("teams.approval.timeout_none")}
              problem={problemWithin(problems, "approval.timeout_s")}
              onChange={(value) => set({ timeout_s: value })}
            />
          )}
        </div>
        {approval.mode !== "never" && (
          <LinesField
            label={t("teams.approval.patterns")}
            hint={t("teams.approval.patterns_hint")}
            problem={problemWithin(problems, "approval.patterns")}
            placeholder={"shell\nfiles(write *)"}
            lines={approval.patterns}
            onChange={(patterns) => set({ patterns })}
          />
        )}
        <LinesField
          label={t("teams.network.allow")}
          hint={t("teams.network.allow_hint")}
          problem={problemWithin(problems, "network")}
          placeholder={"example.org\n*.example.org"}
          lines={networkOf(team).allow}
          onChange={(allow) => onChange({ ...team, network: { ...networkOf(team), allow } })}
        />
      </div>
    </Panel>
  );
}

interface LinesFieldProps {
  label: string;
  hint: string;
  problem: string | undefined;
  placeholder: string;
  lines: string[];
  onChange: (lines: string[]) => void;
}

/** A list, one entry a line; empty lines are none. */
function LinesField({ label, hint, problem, placeholder, lines, onChange }: LinesFieldProps) {
  const [text, setText] = useState(lines.join("\n"));
  const entries = (written: string) => written.split("\n").map((line) => line.trim()).filter(Boolean);
  // What was changed elsewhere, in the YAML for one, takes the place of what was typed here.
  const shown = entries(text).join("\n") === lines.join("\n") ? text : lines.join("\n");
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => (
        <Textarea
          {...control}
          mono
          rows={2}
          value={shown}
          placeholder={placeholder}
          onChange={(event) => {
            setText(event.target.value);
            onChange(entries(event.target.value));
          }}
        />
      )}
    </Field>
  );
}
