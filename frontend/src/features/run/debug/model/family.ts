import type { Branch } from "../api/debug-api";

/** A run in its family, with how deep it stands. */
export interface FamilyLine {
  branch: Branch;
  depth: number;
}

/** The tree from its root, each run before its forks, those in the order they were made. */
export function familyLines(root: Branch): FamilyLine[] {
  const lines: FamilyLine[] = [];
  const add = (branch: Branch, depth: number): void => {
    lines.push({ branch, depth });
    for (const child of [...branch.children].sort((a, b) => a.created_at - b.created_at)) add(child, depth + 1);
  };
  add(root, 0);
  return lines;
}
