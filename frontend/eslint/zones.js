/**
 * Who may import whom: lib, generated, components ← features ← app, and no feature another.
 * Resolves the import to a path inside src, so an alias and a relative path are judged alike.
 */
import path from "node:path";

const MAY_IMPORT = {
  generated: ["generated"],
  lib: ["lib", "generated"],
  components: ["components", "lib", "generated"],
  features: ["features", "components", "lib", "generated"],
};

function place(file, src) {
  const [zone, feature] = path.relative(src, file).split(path.sep);
  return { zone, feature };
}

/** @type {import("eslint").Rule.RuleModule} */
export const zones = {
  meta: { type: "problem", schema: [{ type: "string" }] },
  create(context) {
    const src = context.options[0];
    const from = place(context.filename, src);
    const allowed = MAY_IMPORT[from.zone];
    if (allowed === undefined) return {};

    function check(node) {
      const source = node.source?.value;
      if (typeof source !== "string") return;
      let target;
      if (source.startsWith("@/")) target = path.join(src, source.slice(2));
      else if (source.startsWith(".")) target = path.resolve(path.dirname(context.filename), source);
      else return;
      const to = place(target, src);
      if (!allowed.includes(to.zone)) {
        context.report({ node, message: `${from.zone} may not import from ${to.zone} (${source}).` });
      } else if (to.zone === "features" && to.feature !== from.feature) {
        context.report({
          node,
          message: `Feature '${from.feature}' may not import feature '${to.feature}'; move what both need to lib or components.`,
        });
      }
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};
