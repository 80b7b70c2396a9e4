/** A line of a comparison: on both sides, only before, or only after. */
export interface DiffLine {
  side: "same" | "before" | "after";
  text: string;
}

/** Beyond this the table of a comparison would be too large; both sides are then shown whole. */
const MOST_CELLS = 4_000_000;

/** What was taken away and what was put there, line by line. */
export function diffLines(before: string, after: string): DiffLine[] {
  const old = before.split("\n");
  const now = after.split("\n");
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const same = (lines: string[]): DiffLine[] => lines.map((text) => ({ side: "same", text }));
  return [
    ...same(old.slice(0, start)),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...same(old.slice(old.length - end)),
  ];
}

function middle(old: string[], now: string[]): DiffLine[] {
  if (old.length * now.length > MOST_CELLS || old.length === 0 || now.length === 0) {
    return [...mark("before", old), ...mark("after", now)];
  }
  const wide = now.length + 1;
  // Length of the longest common run of lines from (i, j) on.
  const common = new Uint32Array((old.length + 1) * wide);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      common[i * wide + j] =
        old[i] === now[j]
          ? (common[(i + 1) * wide + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * wide + j] ?? 0, common[i * wide + j + 1] ?? 0);
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      lines.push({ side: "same", text: old[i] ?? "" });
      i += 1;
      j += 1;
    } else if ((common[(i + 1) * wide + j] ?? 0) >= (common[i * wide + j + 1] ?? 0)) {
      lines.push({ side: "before", text: old[i] ?? "" });
      i += 1;
    } else {
      lines.push({ side: "after", text: now[j] ?? "" });
      j += 1;
    }
  }
  return [...lines, ...mark("before", old.slice(i)), ...mark("after", now.slice(j))];
}

function mark(side: "before" | "after", lines: string[]): DiffLine[] {
  return lines.map((text) => ({ side, text }));
}

const CONTEXT = 3;

/** The lines near a change; runs of unchanged ones between are null. */
export function condensed(lines: readonly DiffLine[]): (DiffLine | null)[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ side }) => side !== "same"),
  );
  const shown: (DiffLine | null)[] = [];
  lines.forEach((line, index) => {
    if (near[index] === true) shown.push(line);
    else if (shown.at(-1) !== null) shown.push(null);
  });
  return shown;
}
