import path from "node:path";

import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

import { zones } from "./eslint/zones.js";

const src = path.join(import.meta.dirname, "src");

export default tseslint.config(
  { ignores: ["dist", "node_modules", "src/generated", "public"] },
  ...tseslint.configs.strict,
  {
    files: ["src/**/*.{ts,tsx}"],
    plugins: { "react-hooks": hooks, aworld: { rules: { zones } } },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "aworld/zones": ["error", src],
    },
  },
  {
    files: ["**/*.{ts,tsx}"],
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "no-console": "error",
      eqeqeq: "error",
      "max-lines": ["error", { max: 400, skipBlankLines: true, skipComments: true }],
      complexity: ["error", 20],
    },
  },
  // A table of answers, one case a line.
  { files: ["dev/**"], rules: { complexity: "off" } },
);
