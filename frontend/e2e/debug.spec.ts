import { expect, test, type APIRequestContext, type Page } from "@playwright/test";

import { ScriptedModel, type ChatMessage, type Reply } from "./scripted-model.ts";

const QUESTION = "What is 17 × 23?";
const BAD_CALL = { name: "calculator", arguments: { expression: "17 ** ** 23" } };

/** A model that writes an expression nobody can read, until it is given the right result. */
function stubborn(messages: ChatMessage[]): Reply {
  const last = messages.at(-1);
  if (last?.role === "tool" && (last.content ?? "").includes("391")) return { text: "17 × 23 is 391. Answer: 391" };
  return { text: "I compute it.", calls: [BAD_CALL] };
}

interface RunRow {
  run_id: string;
  status: string;
  answer: string;
  error: string;
}

interface LoggedEvent {
  seq: number;
  actor: string;
  payload: Record<string, unknown>;
}

const model = new ScriptedModel(stubborn);
let serial = 0;
let modelUrl = "";

test.beforeAll(async () => {
  modelUrl = await model.start();
});
test.afterAll(() => model.stop());

/** A call with the page's session. */
async function call<T>(page: Page, method: "get" | "post" | "put", path: string, data?: unknown): Promise<T> {
  const cookies = await page.context().cookies();
  const token = cookies.find(({ name }) => name === "csrftoken")?.value ?? "";
  const origin = new URL(page.url()).origin;
  const response = await page.request[method](`/api${path}`, { data, headers: { "X-CSRFToken": token, Referer: `${origin}/` } });
  expect(response.ok(), `${method} ${path}: ${await response.text()}`).toBe(true);
  return (await response.json()) as T;
}

/** A team of one solver with a calculator, on the scripted model. */
async function makeTeam(page: Page): Promise<string> {
  serial += 1;
  const name = `debug-${String(Date.now())}-${String(serial)}`;
  await call(page, "post", "/models", { name, provider: "openai-compatible", base_url: modelUrl, model: "scripted-1", api_key: "none" });
  const agent = { name: "solver", role: "solver", model: name, instructions: "", tools: ["calculator"], parameters: { temperature: 0 } };
  const limits = { steps: 12, tokens: null, seconds: 300, cost_usd: null };
  const definition = { name, description: "", topology: "single", max_rounds: 1, agents: [agent], limits };
  return (await call<{ id: string }>(page, "post", "/teams", { definition })).id;
}

async function startRun(page: Page, team: string): Promise<string> {
  return (await call<RunRow>(page, "post", "/runs", { team_id: team, input: QUESTION })).run_id;
}

async function until(page: Page, run: string, status: string): Promise<RunRow> {
  await expect.poll(async () => (await call<RunRow>(page, "get", `/runs/${run}`)).status, { timeout: 60_000 }).toBe(status);
  return call<RunRow>(page, "get", `/runs/${run}`);
}

/** What happened in steps 2 to `last`, without ids and times. */
async function log(page: Page, run: string, last: number): Promise<unknown[]> {
  const { events } = await call<{ events: LoggedEvent[] }>(page, "get", `/runs/${run}/events`);
  return events.filter(({ seq }) => seq >= 2 && seq <= last).map(({ seq, actor, payload }) => ({ seq, actor, payload: { ...payload, first_token_us: null } }));
}

async function seqOf(page: Page, run: string, kind: string): Promise<number> {
  const { events } = await call<{ events: LoggedEvent[] }>(page, "get", `/runs/${run}/events`);
  return events.find(({ payload }) => payload["kind"] === kind)?.seq ?? -1;
}

/** Kills the process that serves the page, and waits until another one does. */
async function restartWeb(page: Page, request: APIRequestContext): Promise<void> {
  const pid = await webPid(page);
  process.kill(pid, "SIGKILL");
  await expect
    .poll(async () => {
      const answer = await request.get("/api/processes").catch(() => null);
      if (answer === null || !answer.ok()) return pid;
      const processes = (await answer.json()) as { name: string; pid: number | null }[];
      return processes.find(({ name }) => name === "web")?.pid ?? pid;
    }, { timeout: 60_000 })
    .not.toBe(pid);
}

async function webPid(page: Page): Promise<number> {
  const processes = await call<{ name: string; pid: number | null }[]>(page, "get", "/processes");
  const pid = processes.find(({ name }) => name === "web")?.pid ?? null;
  expect(pid, "the process that serves the page").not.toBeNull();
  return pid as number;
}

/** In the open edit dialog: the failure becomes this result. */
async function writeResult(page: Page, text: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: /^Edit tool\.failed/ });
  await dialog.getByRole("radio", { name: "Result" }).click();
  await dialog.getByLabel("Text", { exact: true }).fill(text);
  await expect(dialog.getByRole("group", { name: "Before and after" })).toContainText(`text: ${text}`);
}

test("a failing run is stopped at the bad result, mended and resumed, the web process restarted meanwhile; a fork does the same", async ({ page }) => {
  test.setTimeout(240_000);
  await page.goto("/runs");
  const team = await makeTeam(page);

  const failing = await startRun(page, team);
  expect((await until(page, failing, "failed")).error).toContain("failed 3 times in a row");
  const bad = await seqOf(page, failing, "tool.failed");

  // The breakpoint is made at the failed step, and tried on the run that failed there.
  await page.goto(`/runs/${failing}?seq=${String(bad)}`);
  await page.getByRole("button", { name: "Stop where this happens" }).click();
  const form = page.getByRole("form", { name: "Breakpoint" });
  await expect(form.getByLabel("Kinds")).toHaveValue("tool.failed");
  await expect(form.getByText("would have stopped 3 times in 1 of 1 run")).toBeVisible();
  await form.getByLabel("Condition").fill("tool = 3");
  await expect(form.getByText(/cannot be read at character 6/)).toBeVisible();
  await form.getByLabel("Condition").fill('tool == "calculator"');
  await form.getByLabel("Name").fill("Bad result");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("checkbox", { name: "Bad result is on" })).toBeChecked();
  await page.keyboard.press("Escape");

  const stopped = await startRun(page, team);
  await page.goto(`/runs/${stopped}`);
  const banner = page.getByRole("region", { name: "The run is paused" });
  await expect(banner).toContainText("Stopped at the breakpoint");
  await expect(banner).toContainText("Bad result");
  await expect(banner).toContainText("llm.requested");

  await restartWeb(page, page.request);
  await expect(page.getByRole("button", { name: "reconnecting" })).toHaveCount(0);

  await banner.getByRole("button", { name: `#${String(bad)}` }).click();
  await page.keyboard.press("e");
  await writeResult(page, "391");
  await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("article", { name: `#${String(bad)} tool.failed` })).toContainText("edited");
  await banner.getByRole("button", { name: /^Resume/ }).click();
  expect((await until(page, stopped, "finished")).answer).toContain("391");
  await expect(banner).toHaveCount(0);

  // The same by a fork of the run that failed.
  await page.goto(`/runs/${failing}?seq=${String(bad)}`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await writeResult(page, "391");
  await page.getByRole("dialog").getByRole("button", { name: /^Fork with this change/ }).click();
  const dialog = page.getByRole("dialog", { name: "Fork the run" });
  await expect(dialog).toContainText("2 model calls live, 2 calculator live");
  await dialog.getByLabel("calculator: how it is answered").selectOption("replay");
  await expect(dialog).toContainText("2 calculator from the recording");
  await restartWeb(page, page.request);
  await dialog.getByRole("button", { name: "Fork", exact: true }).click();
  await expect(page.getByRole("note")).toContainText(`${String(bad + 1)} steps shared`);
  const fork = /\/runs\/([^?/]+)/.exec(page.url())?.[1] ?? "";
  expect(fork).not.toBe(failing);
  expect((await until(page, fork, "finished")).answer).toContain("391");

  // All three are one up to the change.
  const shared = await log(page, failing, bad);
  expect(await log(page, stopped, bad)).toEqual(shared);
  expect(await log(page, fork, bad)).toEqual(shared);

  // A replay agrees with what was mended.
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Replay" }).getByRole("status").filter({ hasText: "Identical" })).toBeVisible();
});

test("the playhead walks by keys and buttons, and the state tells what each step changed", async ({ page }) => {
  await page.goto("/runs");
  const team = await makeTeam(page);
  const run = await startRun(page, team);
  await until(page, run, "failed");
  const bad = await seqOf(page, run, "tool.failed");
  await page.goto(`/runs/${run}?seq=${String(bad)}`);
  await expect(page.getByRole("tab", { name: "State" })).toBeVisible();
  await page.keyboard.press("i");
  const state = page.getByRole("region", { name: "State at the playhead" });
  await expect(state.getByRole("listitem").filter({ hasText: "new" })).toContainText("cannot be read");
  await page.getByRole("toolbar", { name: "Playhead" }).getByRole("button", { name: "First step" }).click();
  await expect(page).toHaveURL(/seq=0\b/);
  await page.getByRole("button", { name: "Next error" }).click();
  await expect(page).toHaveURL(new RegExp(`seq=${String(bad)}\\b`));
  await page.getByLabel("only what changed").check();
  await expect(state.getByRole("listitem")).toHaveCount(1);
  await page.keyboard.press("Home");
  await page.getByLabel("Speed").selectOption("8");
  await page.getByRole("toolbar", { name: "Playhead" }).getByRole("button", { name: "Play", exact: true }).click();
  await expect(page.getByLabel("Step at the playhead")).toHaveValue(String((await call<{ last_seq: number }>(page, "get", `/runs/${run}`)).last_seq));
});

test("on a phone the state is read, and editing wants a wider screen", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/runs");
  const team = await makeTeam(page);
  await call(page, "put", `/teams/${team}/breakpoints`, { breakpoints: [{ id: "bad", kinds: ["tool.failed"] }] });
  const run = await startRun(page, team);
  await until(page, run, "paused");
  await page.goto(`/runs/${run}`);
  await expect(page.getByText("Editing, answering and forking want a wider screen.")).toBeVisible();
  await page.getByRole("article").last().click();
  await page.getByRole("tab", { name: "State" }).click();
  await expect(page.getByRole("region", { name: "State at the playhead" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Edit", exact: true })).toHaveCount(0);
  await call(page, "post", `/runs/${run}/cancel`);
});

test("what was acted on is changed only in a fork before it; a person answers in the model's place, holding the debugger", async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto("/runs");
  const team = await makeTeam(page);
  await call(page, "put", `/teams/${team}/breakpoints`, { breakpoints: [{ id: "second", kinds: ["tool.failed"], from_hit: 2 }] });
  const run = await startRun(page, team);
  await until(page, run, "paused");
  const first = await seqOf(page, run, "tool.failed");
  await page.goto(`/runs/${run}?seq=${String(first)}`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await writeResult(page, "391");
  await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("alert")).toContainText(`acted on this at step ${String(first + 1)}`);
  await page.getByRole("button", { name: /^Fork here instead/ }).click();
  await expect(page.getByLabel("Behind step")).toHaveValue(String(first));
  await page.keyboard.press("Escape");

  const banner = page.getByRole("region", { name: "The run is paused" });
  await banner.getByRole("button", { name: "Take it" }).click();
  await expect(banner).toContainText("You hold the debugger");
  await banner.getByRole("button", { name: /^Answer instead/ }).click();
  await page.getByLabel("Text", { exact: true }).fill("Answer: 391");
  await page.getByRole("dialog").getByRole("button", { name: "Answer", exact: true }).click();
  await expect(banner).toContainText("message.sent");
  await page.keyboard.press("F8");
  expect((await until(page, run, "finished")).answer).toContain("391");
  await expect(page.getByRole("article").filter({ hasText: "Answer: 391" }).filter({ hasText: "llm.responded" })).toContainText(/by \w+/);
});

test("a fork asks a person for a tool's result, and goes on with the answer", async ({ page }) => {
  await page.goto("/runs");
  const team = await makeTeam(page);
  const failing = await startRun(page, team);
  await until(page, failing, "failed");
  const task = await seqOf(page, failing, "message.sent");
  const fork = await call<RunRow>(page, "post", `/runs/${failing}/fork`, { at: task, edits: {}, policies: { calculator: "ask" } });
  await page.goto(`/runs/${fork.run_id}`);
  const question = page.getByRole("region", { name: "A question to you" });
  await question.getByLabel("Your answer").fill("391");
  await question.getByRole("button", { name: "Send" }).click();
  expect((await until(page, fork.run_id, "finished")).answer).toContain("391");
  await expect(question).toHaveCount(0);
});
