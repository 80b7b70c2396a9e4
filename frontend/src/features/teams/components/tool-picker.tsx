import { useTranslation } from "react-i18next";

import { classNames } from "@/components/class-names";
import { Tooltip } from "@/components/tooltip";
import type { Tool } from "@/lib/api/types";

import styles from "./tool-picker.module.css";

interface ToolPickerProps {
  tools: Tool[];
  chosen: string[];
  /** Those that the role usually has, first in the row. */
  suggested: string[];
  problem: string | undefined;
  onChange: (tools: string[]) => void;
}

/** Every tool as a switch; one that is chosen and does not exist stays visible, so it can be taken out. */
export function ToolPicker({ tools, chosen, suggested, problem, onChange }: ToolPickerProps) {
  const { t } = useTranslation();
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  const names = [...new Set([...suggested.filter((name) => known.has(name)), ...known.keys(), ...chosen])];
  const toggle = (name: string) => onChange(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  return (
    <fieldset className={styles["picker"]}>
      <legend className={styles["label"]}>{t("teams.agent.tools")}</legend>
      <div className={styles["row"]}>
        {names.map((name) => {
          const tool = known.get(name);
          const about = tool === undefined ? t("teams.agent.unknown_tool", { name }) : `${tool.description} · ${t(`teams.effect.${tool.effect}`)}`;
          return (
            <Tooltip key={name} text={about}>
              <button
                type="button"
                role="switch"
                aria-checked={chosen.includes(name)}
                className={classNames(styles["tool"], tool === undefined && styles["unknown"])}
                onClick={() => toggle(name)}
              >
                <span className={styles["mark"]} aria-hidden>{chosen.includes(name) ? "✓" : "+"}</span>
                {name}
              </button>
            </Tooltip>
          );
        })}
      </div>
      {problem !== undefined && <p className={styles["problem"]}>✖ {problem}</p>}
    </fieldset>
  );
}
