import { describe, expect, it } from "vitest";

import { dictionaries } from ".";

const areas = {
  en: import.meta.glob<Record<string, string>>("./en/*.json", { eager: true, import: "default" }),
  zh: import.meta.glob<Record<string, string>>("./zh/*.json", { eager: true, import: "default" }),
};
const sources = import.meta.glob<string>(["/src/**/*.{ts,tsx}", "!/src/**/*.test.*"], {
  eager: true,
  query: "?raw",
  import: "default",
});

/** `runs.count_one` and `runs.count_other` are one key to the code. */
const base = (key: string) => key.replace(/_(one|other)$/, "");
const bases = (dictionary: Record<string, string>) => new Set(Object.keys(dictionary).map(base));
const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map((m) => m[1]).sort();

const areaNames = Object.keys(areas.en).map((file) => file.slice("./en/".length, -".json".length));
const keyPattern = `(?:${areaNames.join("|")})(?:\\.[\\w-]+)+`;
const code = Object.values(sources).join("\n");
const written = new Set([...code.matchAll(new RegExp(`["'\`](${keyPattern})["'\`]`, "g"))].map((m) => m[1]));
// Kinds of events look like keys too (`run.failed`), so only what is asked for counts as missing.
const asking = [...code.matchAll(/\bt\(([^()]*)|\b(?:label|group|words): ("[\w.]+")/g)].map((m) => m[1] ?? m[2]);
const asked = new Set([...asking.join("\n").matchAll(new RegExp(`"(${keyPattern})"`, "g"))].map((m) => m[1] ?? ""));
const composed = [
  ...code.matchAll(new RegExp(`\`((?:${areaNames.join("|")})\\.[\\w.-]*)\\$\\{`, "g")),
].map((m) => m[1] ?? "");

describe("the dictionaries", () => {
  it("have the same keys in English and Chinese", () => {
    expect([...bases(dictionaries.zh)].sort()).toEqual([...bases(dictionaries.en)].sort());
  });

  it("name the same placeholders in both languages", () => {
    const differing = Object.keys(dictionaries.zh).filter((key) => {
      const english = dictionaries.en[key] ?? dictionaries.en[`${base(key)}_other`] ?? "";
      return placeholders(english).join() !== placeholders(dictionaries.zh[key] ?? "").join();
    });
    expect(differing).toEqual([]);
  });

  it("hold only keys that begin with their file's name, and no empty text", () => {
    for (const files of Object.values(areas)) {
      for (const [file, dictionary] of Object.entries(files)) {
        const area = file.split("/").at(-1)?.replace(".json", "") ?? "";
        const wrong = Object.entries(dictionary).filter(
          ([key, text]) => !key.startsWith(`${area}.`) || text.trim() === "",
        );
        expect(wrong, file).toEqual([]);
      }
    }
  });

  it("have every key that the code asks for", () => {
    const known = bases(dictionaries.en);
    const missing = [...asked].filter((key) => !known.has(key));
    expect(missing).toEqual([]);
  });

  it("have no key that the code never asks for", () => {
    const unused = [...bases(dictionaries.en)].filter(
      (key) => !written.has(key) && !composed.some((prefix) => key.startsWith(prefix)),
    );
    expect(unused).toEqual([]);
  });
});
