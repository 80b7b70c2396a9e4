/** What can be said of a task file before it is sent. */

export const MOST_BYTES = 32 * 1024 * 1024;
const PREVIEW_BYTES = 8 * 1024 * 1024;

/** A set's name from a file's: `GAIA validation.jsonl` gives `gaia-validation`. */
export function setFromName(name: string): string {
  return name
    .replace(/\.(jsonl|ndjson|json|csv|tsv|txt)$/i, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

/** The file's lines, for showing those that cannot be read; none of a very large file. */
export async function linesOf(file: Blob): Promise<string[]> {
  if (file.size > PREVIEW_BYTES) return [];
  return (await file.text()).split("\n");
}
