import { defineConfig } from "@playwright/test";

import { SESSION } from "./e2e/global-setup.ts";

/**
 * The tests drive a running AWorld: AWORLD_URL says where, AWORLD_LINK is its one-time link,
 * CHROMIUM the browser.
 */
export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/global-setup.ts",
  timeout: 90_000,
  expect: { timeout: 20_000 },
  fullyParallel: false,
  workers: 1,
  reporter: [["list"]],
  use: {
    baseURL: process.env["AWORLD_URL"] ?? "http://127.0.0.1:8000",
    storageState: SESSION,
    locale: "en-US",
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    },
  },
});
