import { fileURLToPath } from "node:url";

import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

import { mockServer } from "./dev/mock-server.ts";

const server = process.env["AWORLD_SERVER"];

export default defineConfig(({ command, isPreview }) => ({
  // Django serves the built files under /static/, and index.html at every page's address.
  base: command === "build" ? "/static/" : "/",
  plugins: [react(), ...((command === "serve" || isPreview === true) && server === undefined ? [mockServer()] : [])],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    target: "es2022",
    manifest: true,
    // The editor of YAML, loaded when its tab is opened.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "react", test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/ },
            { name: "editor", test: /node_modules[\\/](@codemirror|@lezer|codemirror|style-mod|crelt|w3c-keyname)[\\/]/ },
            { name: "yaml", test: /node_modules[\\/]yaml[\\/]/ },
          ],
        },
      },
    },
  },
  server: {
    host: "127.0.0.1",
    ...(server === undefined
      ? {}
      : {
          proxy: {
            "/api": { target: server },
            "/enter": { target: server },
            "/login": { target: server },
            "/logout": { target: server },
            "/ws": { target: server, ws: true },
          },
        }),
  },
  test: {
    environment: "happy-dom",
    // The tests share nothing that one could spoil for another, so a worker keeps its page.
    isolate: false,
    maxWorkers: 2,
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["./src/lib/i18n/test-setup.ts"],
  },
}));
