import axe, { type AxeResults } from "axe-core";
import { expect, test, type Page } from "@playwright/test";

/** A state of a page: where it is, and what a person does there. */
interface State {
  name: string;
  path: string;
  act?: (page: Page) => Promise<void>;
}

const STATES: State[] = [
  { name: "Home", path: "/" },
  { name: "Runs", path: "/runs" },
  { name: "the queue", path: "/runs?view=queue" },
  { name: "a run", path: "/runs/:run" },
  {
    name: "a run's event",
    path: "/runs/:run",
    act: async (page) => {
      await page.locator("article").last().click();
      await expect(page.locator("article[aria-current=true]")).toBeVisible();
    },
  },
  { name: "a run's events", path: "/runs/:run?view=events" },
  { name: "Teams", path: "/teams" },
  { name: "a team", path: "/teams/:team" },
  { name: "a team as YAML", path: "/teams/:team", act: async (page) => page.getByRole("tab", { name: "YAML" }).click() },
  { name: "Tasks", path: "/tasks" },
  { name: "Tools", path: "/tools" },
  { name: "a tool", path: "/tools/files" },
  { name: "Environments", path: "/environments" },
  { name: "a suite", path: "/environments/gaia-own" },
  { name: "a task of an environment", path: "/environments/gaia-own/orchard_ledger" },
  { name: "Workers", path: "/workers" },
  { name: "Settings", path: "/settings" },
  {
    name: "the search",
    path: "/",
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await expect(page.getByRole("option").first()).toBeVisible();
    },
  },
];

/** The address with the newest failed run and the first team in it. */
async function address(page: Page, path: string): Promise<string> {
  const first = async (what: string): Promise<Record<string, string>> => {
    const data = (await (await page.request.get(`/api/${what}`)).json()) as { runs?: Record<string, string>[] } | Record<string, string>[];
    return (Array.isArray(data) ? data : (data.runs ?? []))[0] ?? {};
  };
  if (path.includes(":run")) return path.replace(":run", (await first("runs?limit=1"))["run_id"] ?? "");
  if (path.includes(":team")) return path.replace(":team", (await first("teams"))["id"] ?? "");
  return path;
}

/** What keeps people out: findings that axe calls serious or critical, each with its element. */
async function barriers(page: Page, rules?: string[]): Promise<string[]> {
  const options = { resultTypes: ["violations"], ...(rules !== undefined && { runOnly: rules }) };
  const results = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as AxeResults;
  return results.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.split("\n")[1]?.trim() ?? ""}`));
}

test("no page has a barrier, in either theme", async ({ page }) => {
  test.setTimeout(180_000);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.addInitScript(() => localStorage.setItem("aworld.theme", '"dark"'));
  for (const { name, path, act } of STATES) {
    await test.step(name, async () => {
      await page.goto(await address(page, path));
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
      await act?.(page);
      await page.evaluate(axe.source);
      expect.soft(await barriers(page), `${name}, dark`).toEqual([]);
      // Only colours differ between the themes.
      await page.evaluate(() => document.documentElement.classList.remove("dark"));
      expect.soft(await barriers(page, ["color-contrast"]), `${name}, light`).toEqual([]);
    });
  }
});
