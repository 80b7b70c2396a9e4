import { expect, test, type Page } from "@playwright/test";

interface EpisodeRow {
  id: string;
  mine: boolean;
}

const open = async (page: Page) => ((await (await page.request.get("/api/episodes")).json()) as EpisodeRow[]).filter(({ mine }) => mine);

test("a tool is found, tried out, refused with the reason, and cancelled", async ({ page }) => {
  await page.goto("/tools");
  await page.getByLabel("Find a tool").fill("arithmetic");
  await page.getByRole("link", { name: "calculator" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "calculator" })).toBeVisible();
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await expect(page.getByText("This is needed.")).toBeVisible();
  await page.getByLabel("expression").fill("3 km + 200 m");
  await page.keyboard.press("Control+Enter");
  const result = page.getByRole("region", { name: "Result of the call" });
  await expect(result).toContainText("3.2 km");
  await page.getByRole("button", { name: "As JSON" }).click();
  await page.getByLabel("Arguments as JSON").fill('{"expression": "1/0"}');
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await expect(result).toContainText("Failed");

  await page.goto("/tools/shell");
  await page.getByLabel("command").fill("sleep 60");
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(result).toContainText("cancelled");
});

test("a task is done by hand with a click on its picture, and the world ends with the page", async ({ page }) => {
  await page.goto("/environments");
  await page.getByRole("link", { name: /^miniwob/ }).click();
  await page.getByLabel("Find a task").fill("click-test-2");
  await expect(page).toHaveURL(/text=click-test-2/);
  await page.getByRole("link", { name: "click-test-2", exact: true }).click();
  await page.getByRole("button", { name: "Begin" }).click();
  const picture = page.getByAltText("Screenshot of the world");
  await expect(picture).toBeVisible({ timeout: 60_000 });
  expect(await open(page)).toHaveLength(1);

  const acted = page.waitForResponse((answer) => answer.url().endsWith("/step"));
  await picture.click({ position: { x: 5, y: 5 } });
  const sent = (await acted).request().postDataJSON() as { name: string; arguments: Record<string, number> };
  expect(sent.name).toBe("browser_click_at");
  expect(Object.keys(sent.arguments).sort()).toEqual(["x", "y"]);
  await expect(page.getByText("1 step", { exact: true })).toBeVisible();

  await page.getByLabel("target").fill("no such button");
  await page.getByRole("button", { name: "Do it" }).click();
  await expect(page.getByRole("alert")).toContainText("This could not be done.");
  await page.getByRole("button", { name: "Hand in" }).click();
  await expect(page.getByRole("region", { name: "Verdict" })).toContainText("score 0.00");

  await page.getByRole("link", { name: "Home" }).click();
  await expect.poll(() => open(page)).toHaveLength(0);
});
