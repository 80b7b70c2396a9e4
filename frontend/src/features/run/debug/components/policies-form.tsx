import { useTranslation } from "react-i18next";

import { Input, Select } from "@/components/field";

import type { Policies, PolicyWord } from "../api/debug-api";
import { MODEL, OTHERS, readPolicy, withPolicy, wordsFor } from "../model/policies";
import styles from "./dialogs.module.css";

/** For the model, each tool and every other one: really called, taken from the recording, mocked, or asked. */
export function PoliciesForm({ tools, policies, onChange }: { tools: readonly string[]; policies: Policies; onChange: (policies: Policies) => void }) {
  const { t } = useTranslation();
  const names = [MODEL, ...tools, ...(tools.length > 1 ? [OTHERS] : [])];
  return (
    <table className={styles["policies"]}>
      <tbody>
        {names.map((name) => {
          const choice = readPolicy(policies[name] ?? (name === MODEL ? undefined : policies[OTHERS]));
          const label = name === MODEL ? t("debug.policy.model") : name === OTHERS ? t("debug.policy.others") : name;
          return (
            <tr key={name}>
              <th scope="row">{label}</th>
              <td>
                <Select
                  className={styles["word"]}
                  aria-label={t("debug.policy.of", { name: label })}
                  value={choice.word}
                  options={wordsFor(name).map((word) => ({ value: word, label: t(`debug.policy.${word}`) }))}
                  onChange={(event) => onChange(withPolicy(policies, name, { ...choice, word: event.target.value as PolicyWord }))}
                />
              </td>
              <td>
                {choice.word === "mock" ? (
                  <Input
                    mono
                    aria-label={t("debug.policy.text", { name: label })}
                    placeholder={t("debug.policy.text_hint")}
                    value={choice.text}
                    onChange={(event) => onChange(withPolicy(policies, name, { word: "mock", text: event.target.value }))}
                  />
                ) : (
                  <span className={styles["hint"]}>{t(`debug.policy.about.${choice.word}`)}</span>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
