import { expect, test } from "@playwright/test";

/** The application's main job, on the local model: run a team, watch it, reload, share a link. */
test("a team is run from Home, watched live over a reload, and a step of it is linked", async ({ page, context }) => {
  test.setTimeout(240_000);
  await page.goto("/");
  await page.getByLabel("Question").fill("What is 23 times 47?");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForURL(/\/runs\/[0-9a-f]{8,}/);

  // Watched while it goes on: the solver's first message, then more events by themselves.
  await expect(page.locator("article", { hasText: "message.sent" }).first()).toBeVisible();
  await expect(page.getByText("complete", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.locator("article", { hasText: "tool.returned" }).first()).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText("Finished").first()).toBeVisible({ timeout: 180_000 });
  await expect(page.getByText("complete", { exact: true })).toBeVisible();
  await expect(page.getByText(/1,?081/).first()).toBeVisible();

  // The link to a step shows that step to whoever opens it.
  const result = page.locator("article", { hasText: "tool.returned" }).first();
  const label = (await result.getAttribute("aria-label")) ?? "";
  await result.click();
  await expect(page).toHaveURL(/seq=\d+/);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.locator("article[aria-current=true]")).toHaveAttribute("aria-label", label);
});
