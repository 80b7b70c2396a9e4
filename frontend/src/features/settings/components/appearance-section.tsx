import { useTranslation } from "react-i18next";

import { Field, Select } from "@/components/field";
import { Panel } from "@/components/panel";
import { setLanguage, type Language } from "@/lib/i18n";
import { useTheme, type Theme } from "@/lib/theme";

import styles from "./appearance-section.module.css";

/** Theme and language; kept in this browser. */
export function AppearanceSection() {
  const { t, i18n } = useTranslation();
  const { theme, setTheme } = useTheme();
  return (
    <Panel title={t("settings.appearance")}>
      <div className={styles["fields"]}>
        <Field label={t("shell.theme")} hint={t("settings.appearance_hint")}>
          {(control) => (
            <Select
              {...control}
              value={theme}
              options={["system", "light", "dark"].map((value) => ({ value, label: t(`shell.theme.${value}`) }))}
              onChange={(event) => setTheme(event.target.value as Theme)}
            />
          )}
        </Field>
        <Field label={t("shell.language")}>
          {(control) => (
            <Select
              {...control}
              value={i18n.language}
              options={[
                { value: "en", label: "English" },
                { value: "zh", label: "中文" },
              ]}
              onChange={(event) => void setLanguage(event.target.value as Language)}
            />
          )}
        </Field>
      </div>
    </Panel>
  );
}
