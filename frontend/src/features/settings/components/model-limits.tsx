import { useTranslation } from "react-i18next";

import { Field, Input } from "@/components/field";
import { money } from "@/lib/format";
import type { Model } from "@/lib/api/types";

import { LIMITS, type LimitName, type ModelDraft } from "../model/connection";
import styles from "./model-dialog.module.css";

interface ModelLimitsProps {
  draft: ModelDraft;
  stored: Model | null;
  problem: (field: LimitName) => string | undefined;
  onChange: (draft: ModelDraft) => void;
}

/** How much may go over the connection, over all workers together. */
export function ModelLimits({ draft, stored, problem, onChange }: ModelLimitsProps) {
  const { t } = useTranslation();
  const spending = stored?.spending ?? null;
  const spent: Partial<Record<LimitName, number>> = spending === null ? {} : { cost_per_day_usd: spending.day_usd, cost_per_month_usd: spending.month_usd };
  return (
    <fieldset className={styles["price"]}>
      <legend>{t("settings.models.limits")}</legend>
      <div className={styles["three"]}>
        {LIMITS.map((name) => {
          const soFar = spent[name];
          return (
            <Field key={name} label={t(`settings.models.limit.${name}`)} problem={problem(name)} hint={soFar === undefined ? undefined : t("settings.models.spent", { amount: money(soFar) })}>
              {(control) => (
                <Input
                  {...control}
                  mono
                  inputMode="decimal"
                  placeholder={t("settings.models.unlimited")}
                  value={draft.limits[name]}
                  onChange={(event) => onChange({ ...draft, limits: { ...draft.limits, [name]: event.target.value } })}
                />
              )}
            </Field>
          );
        })}
      </div>
    </fieldset>
  );
}
