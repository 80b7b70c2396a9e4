import { ArrowDown, ArrowUp, X } from "lucide-react";
import { useTranslation } from "react-i18next";

import { IconButton } from "@/components/button";
import { Field, Select } from "@/components/field";

import { withMoved } from "../model/connection";
import styles from "./model-fallbacks.module.css";

interface ModelFallbacksProps {
  /** The chosen connections, in the order in which they are asked. */
  chosen: string[];
  /** All that may be chosen. */
  names: string[];
  onChange: (chosen: string[]) => void;
}

/** Which connections are asked when this one fails, one after the other. */
export function ModelFallbacks({ chosen, names, onChange }: ModelFallbacksProps) {
  const { t } = useTranslation();
  const left = names.filter((name) => !chosen.includes(name));
  return (
    <div className={styles["fallbacks"]}>
      {chosen.length > 0 && (
        <ol className={styles["list"]} aria-label={t("settings.models.fallbacks")}>
          {chosen.map((name, index) => (
            <li key={name} className={styles["row"]}>
              <span className={styles["number"]}>{index + 1}</span>
              <span className={styles["name"]}>{name}</span>
              <IconButton label={t("settings.models.fallback_up", { name })} disabled={index === 0} onClick={() => onChange(withMoved(chosen, name, -1))}><ArrowUp /></IconButton>
              <IconButton label={t("settings.models.fallback_down", { name })} disabled={index === chosen.length - 1} onClick={() => onChange(withMoved(chosen, name, 1))}><ArrowDown /></IconButton>
              <IconButton label={t("settings.models.fallback_remove", { name })} onClick={() => onChange(chosen.filter((other) => other !== name))}><X /></IconButton>
            </li>
          ))}
        </ol>
      )}
      <Field label={t("settings.models.fallback_add")} hint={t("settings.models.fallbacks_hint")}>
        {(control) => (
          <Select
            {...control}
            value=""
            disabled={left.length === 0}
            options={[{ value: "", label: t(left.length === 0 ? "settings.models.fallback_none_left" : "settings.models.fallback_choose") }, ...left.map((name) => ({ value: name, label: name }))]}
            onChange={(event) => event.target.value !== "" && onChange([...chosen, event.target.value])}
          />
        )}
      </Field>
    </div>
  );
}
