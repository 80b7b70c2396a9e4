/** The set-up's steps in the language of the page. The server names them in English. */
import type { TFunction } from "i18next";

import type { SetupStep } from "./api/types";

const NAMES: Record<string, string> = {
  Database: "common.setup.database",
  Page: "common.setup.page",
  Worker: "common.setup.worker",
  "Local model": "common.setup.model",
  "Demo run": "common.setup.demo",
  "Training packages": "common.setup.training",
};

const DETAILS: [RegExp, string][] = [
  [/^Making the tables and the first definitions$/, "common.setup.detail.tables"],
  [/^Loading the local model$/, "common.setup.detail.loading"],
  [/^Fetching the local model \((?<size>.+)\)$/, "common.setup.detail.fetching"],
  [/^Served at (?<address>\S+)$/, "common.setup.detail.served"],
  [/^The page's own process works on the runs$/, "common.setup.detail.single_process"],
  [/^PyTorch and transformers are installed when training is first used$/, "common.setup.detail.training_later"],
  [/^PyTorch and transformers are installed$/, "common.setup.detail.training_there"],
  [/^The demo's team needs the local model$/, "common.setup.detail.demo_needs_model"],
];

/** The step's name; one that is not known as the server has it. */
export function stepName(t: TFunction, step: SetupStep): string {
  const key = NAMES[step.name];
  return key === undefined ? step.name : t(key);
}

/** What the step says of itself; what is not known as the server has it. */
export function stepDetail(t: TFunction, step: SetupStep): string {
  for (const [pattern, key] of DETAILS) {
    const found = pattern.exec(step.detail);
    if (found !== null) return t(key, { ...found.groups });
  }
  return step.detail;
}
