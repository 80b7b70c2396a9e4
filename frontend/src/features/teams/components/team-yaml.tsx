import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";

import { SkeletonRows } from "@/components/states";
import { StatusMark } from "@/components/status-mark";
import type { Problem, TeamDefinition } from "@/lib/api/types";

import { same } from "../model/definition";
import { fromYaml, toYaml } from "../model/yaml";
import styles from "./team-yaml.module.css";

const YamlEditor = lazy(() => import("./yaml-editor"));

interface YamlProps {
  team: TeamDefinition;
  /** What stands in the editor; null before anything was typed. */
  typed: string | null;
  problems: Problem[];
  onType: (text: string) => void;
  onChange: (team: TeamDefinition) => void;
}

/** The same draft as text. What cannot be read stays in the text and changes nothing. */
export function TeamYaml({ team, typed, problems, onType, onChange }: YamlProps) {
  const { t } = useTranslation();
  const text = typed ?? toYaml(team);
  const parsed = fromYaml(text);
  // Undo of a removal, or a version loaded meanwhile: the text follows what came from elsewhere.
  const followed = "team" in parsed && !same(parsed.team, team) ? toYaml(team) : text;
  const unreadable = "team" in parsed ? null : { line: parsed.line, message: parsed.message === "not a mapping" ? t("teams.yaml_not_mapping") : parsed.message };
  return (
    <div className={styles["yaml"]}>
      <div className={styles["code"]}>
        <Suspense fallback={<SkeletonRows rows={12} height={24} />}>
          <YamlEditor
            text={followed}
            label={t("teams.yaml")}
            problem={unreadable}
            onChange={(next) => {
              onType(next);
              const read = fromYaml(next);
              if ("team" in read) onChange(read.team);
            }}
          />
        </Suspense>
      </div>
      {(unreadable !== null || problems.length > 0) && (
        <ul className={styles["problems"]}>
          {unreadable !== null && <li><StatusMark status="error" word={false} /> {t("teams.yaml_line", { line: unreadable.line })} {unreadable.message}</li>}
          {unreadable === null && problems.map((problem) => <li key={problem.where + problem.message}><StatusMark status="error" word={false} /> <code>{problem.where}</code> {problem.message}</li>)}
        </ul>
      )}
    </div>
  );
}
