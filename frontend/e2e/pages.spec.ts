import { expect, test, type Page } from "@playwright/test";

/** Errors of the page's own code; what the server refuses on purpose is looked at where it happens. */
function faults(page: Page): string[] {
  const found: string[] = [];
  page.on("pageerror", (error) => found.push(error.message));
  return found;
}

const PAGES = [
  { path: "/", name: "Home" },
  { path: "/runs", name: "Runs" },
  { path: "/teams", name: "Teams" },
  { path: "/tasks", name: "Tasks" },
  { path: "/tools", name: "Tools" },
  { path: "/environments", name: "Environments" },
  { path: "/workers", name: "Workers" },
  { path: "/settings", name: "Settings" },
];

for (const { path, name } of PAGES) {
  test(`${name} opens, with its data and without a fault`, async ({ page }) => {
    const found = faults(page);
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
    await expect(page.getByRole("alert")).toHaveCount(0);
    expect(found).toEqual([]);
  });
}

test("an unknown address says so and leads on", async ({ page }) => {
  await page.goto("/runs");
  await page.evaluate(() => history.pushState({}, "", "/no/such/page"));
  await page.evaluate(() => dispatchEvent(new PopStateEvent("popstate")));
  await expect(page.getByText("/no/such/page")).toBeVisible();
});

test("keys lead from page to page, and the help lists them", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
  // Two keys within a second, which a busy machine may miss.
  await expect(async () => {
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await expect(page).toHaveURL(/\/teams$/, { timeout: 2_000 });
  }).toPass();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("every word changes with the language, and it is remembered", async ({ page }) => {
  await page.goto("/settings");
  await page.getByRole("main").getByLabel("Language").selectOption("zh");
  await expect(page.getByRole("heading", { level: 1, name: "设置" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "设置" })).toBeVisible();
});

test("a team is built, its problem stands at the field, and it is saved and deleted", async ({ page }) => {
  const name = `e2e-${String(Date.now())}`;
  await page.goto("/teams/new");
  await page.getByLabel("Name", { exact: true }).first().fill(name);
  const agent = page.getByLabel("Name", { exact: true }).nth(1);
  await agent.fill("Not A Name");
  await expect(agent).toHaveAttribute("aria-invalid", "true");
  await agent.fill("first");
  await expect(agent).not.toHaveAttribute("aria-invalid", "true");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page).toHaveURL(/\/teams\/[0-9a-f-]{36}$/);
  await page.getByRole("tab", { name: "YAML" }).click();
  await expect(page.locator(".cm-content")).toContainText("first");

  await page.goto("/teams");
  const row = page.getByRole("row").filter({ hasText: name });
  await row.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(row).toHaveCount(1);
  await row.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("listitem").getByRole("button", { name: "Close" }).click();
  await expect(row).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "Teams" })).toBeVisible();
  await expect(row).toHaveCount(0);
});

test("a task file with a broken line names the line, and a whole one is imported", async ({ page }) => {
  const set = `e2e-${String(Date.now())}`;
  const file = (text: string) => ({ name: `${set}.jsonl`, mimeType: "application/json", buffer: Buffer.from(text) });
  await page.goto("/tasks");
  await page.getByRole("button", { name: "Import", exact: true }).first().click();
  const dialog = page.getByRole("dialog", { name: "Import tasks" });
  await dialog.locator("input[type=file]").setInputFiles(file('{"question": "1 + 1?", "answer": "2"}\n{"question": \n'));
  await expect(dialog.getByText("1 line cannot be read")).toBeVisible();
  await expect(dialog.getByRole("listitem")).toContainText("2");
  await expect(dialog.getByRole("button", { name: "Import" , exact: true })).toBeDisabled();
  await dialog.locator("input[type=file]").setInputFiles(file('{"question": "1 + 1?", "answer": "2"}\n'));
  await expect(dialog.getByText("new tasks 1, replaced 0")).toBeVisible();
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`set=${set}`));
  await expect(page.getByRole("row").filter({ hasText: "1 + 1?" })).toHaveCount(1);
});

test("a filter is a link", async ({ page }) => {
  await page.goto("/runs");
  await page.getByRole("link", { name: /^Failures/ }).click();
  await expect(page).toHaveURL(/status=failed(%2C|,)lost/);
  await page.getByLabel("With errors").check();
  await expect(page).toHaveURL(/errors=1/);
  await page.reload();
  await expect(page.getByLabel("With errors")).toBeChecked();
});
