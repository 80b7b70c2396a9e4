import { expect, test as base } from "@playwright/test";

import { startRunFixture, type RunFixture } from "./run-fixture";

/** The Run page over a real store with made-up runs: each worker starts its own server. */
const test = base.extend<object, { fixture: RunFixture }>({
  fixture: [
    async ({}, use) => {
      const fixture = await startRunFixture();
      await use(fixture);
      fixture.stop();
    },
    { scope: "worker", timeout: 90_000 },
  ],
  baseURL: async ({ fixture }, use) => use(fixture.url),
});

test("a permalink reproduces selection, window and filters", async ({ page }) => {
  await page.goto("/runs/finished?seq=41&t0=5900000&t1=9500000&kind=tool");
  const selected = page.locator("article[aria-current=true]");
  await expect(selected).toHaveAttribute("aria-label", "#41 tool.returned");
  await expect(selected).toBeInViewport();
  await expect(page.getByLabel("Details").first()).toContainText("391");
  await page.reload();
  await expect(selected).toHaveAttribute("aria-label", "#41 tool.returned");
});

test("keys walk through events, errors and views", async ({ page }) => {
  await page.goto("/runs/finished");
  await expect(page.locator("article").first()).toBeVisible();
  await page.keyboard.press("n");
  await expect(page.locator("article[aria-current=true]")).toContainText("ZeroDivisionError");
  await page.keyboard.press("v");
  await expect(page.getByRole("row", { selected: true })).toContainText("tool.failed");
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/seq=13/);
});

test("a filter says how many errors it hides", async ({ page }) => {
  await page.goto("/runs/finished?lane=planner");
  await page.getByRole("button", { name: "1 error hidden" }).click();
  await expect(page.locator("article")).toHaveCount(1);
});

test("a live run grows, streams its text, and misses nothing over a reload", async ({ page }) => {
  await page.goto("/runs/live");
  await expect(page.getByText("live", { exact: true }).first()).toBeVisible();
  const count = async () => Number((await page.locator("text=/^[\\d,]+ events$/").first().innerText()).replace(/\D/g, ""));
  const before = await count();
  await expect.poll(count, { timeout: 20_000 }).toBeGreaterThan(before + 3);
  await page.reload();
  await expect.poll(count).toBeGreaterThan(before);
  await expect(page.getByText("complete", { exact: true })).toBeVisible();
});

test("the wheel zooms at the pointer and double click on the minimap shows all again", async ({ page }) => {
  await page.goto("/runs/finished");
  const canvas = page.getByRole("img", { name: /Events over time/ });
  await canvas.hover();
  await page.mouse.wheel(0, -600);
  await expect(page).toHaveURL(/t0=\d+&t1=\d+/);
  await page.keyboard.press("0");
  await expect(page).not.toHaveURL(/t0=/);
});

test("a run that is not there says so and leads back", async ({ page }) => {
  await page.goto("/runs/nothing");
  await expect(page.getByText("No run has the id nothing.")).toBeVisible();
});
