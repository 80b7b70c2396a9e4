import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import i18n from "./i18n";
import { stepDetail, stepName } from "./setup-words";
import type { SetupStep } from "./api/types";

const step = (name: string, detail = ""): SetupStep => ({ name, detail, state: "running", progress: null });
const chinese = i18n.getFixedT("zh");

describe("the set-up's steps", () => {
  it("are all known by the names that the server gives them", () => {
    const folder = path.resolve(import.meta.dirname, "../../../aworld_web/processes");
    const source = ["bring_up.py", "training_requirements.py"].map((file) => readFileSync(path.join(folder, file), "utf8")).join("\n");
    const names = [...source.matchAll(/family\.step\("([^"]+)"\)|^STEP = "([^"]+)"/gm)].map((found) => found[1] ?? found[2] ?? "");
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => stepName(chinese, step(name)) === name)).toEqual([]);
  });

  it("keep what is measured when they are translated", () => {
    expect(stepDetail(chinese, step("Local model", "Fetching the local model (93 MB)"))).toBe("正在下载本地模型（93 MB）");
    expect(stepDetail(chinese, step("Local model", "Served at http://127.0.0.1:1/v1"))).toBe("服务地址 http://127.0.0.1:1/v1");
  });

  it("are shown as they are where they are not known", () => {
    expect(stepName(chinese, step("Something new"))).toBe("Something new");
    expect(stepDetail(chinese, step("Local model", "No space left"))).toBe("No space left");
  });
});
