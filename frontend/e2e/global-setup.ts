import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { chromium, type FullConfig } from "@playwright/test";

/** Where the session's cookies are kept while the tests run. */
export const SESSION = path.join(import.meta.dirname, "..", "test-results", ".session.json");

/** Logs in once: the link that `aworld up` prints (AWORLD_LINK) opens one time only. */
export default async function enter(config: FullConfig): Promise<void> {
  mkdirSync(path.dirname(SESSION), { recursive: true });
  const link = process.env["AWORLD_LINK"];
  if (link === undefined || link === "") {
    writeFileSync(SESSION, JSON.stringify({ cookies: [], origins: [] }));
    return;
  }
  const browser = await chromium.launch(config.projects[0]?.use.launchOptions ?? {});
  const page = await browser.newPage();
  await page.goto(link);
  await page.getByRole("navigation").first().waitFor();
  await page.context().storageState({ path: SESSION });
  await browser.close();
}
