import { useTranslation } from "react-i18next";

import { PageBar } from "@/components/page-bar";

import { AboutSection } from "./components/about-section";
import { AppearanceSection } from "./components/appearance-section";
import { McpAccessSection } from "./components/mcp-access-section";
import { McpSection } from "./components/mcp-section";
import { ModelsSection } from "./components/models-section";
import styles from "./settings-page.module.css";

/** Models, MCP servers and clients, appearance, about. */
export default function SettingsPage() {
  const { t } = useTranslation();
  return (
    <div className={styles["page"]}>
      <PageBar crumbs={[{ label: t("shell.settings") }]} />
      <ModelsSection />
      <McpSection />
      <McpAccessSection />
      <AppearanceSection />
      <AboutSection />
    </div>
  );
}
