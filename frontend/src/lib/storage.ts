/** What the browser remembers for this person: one JSON value a key, `aworld.` in front. */

const PREFIX = "aworld.";

/** The remembered value, or `fallback` where there is none, storage is blocked, or it is damaged. */
export function remembered<T>(key: string, fallback: T, valid?: (value: unknown) => value is T): T {
  try {
    const raw = localStorage.getItem(PREFIX + key);
    if (raw === null) return fallback;
    const value: unknown = JSON.parse(raw);
    if (valid !== undefined && !valid(value)) return fallback;
    return value as T;
  } catch {
    return fallback;
  }
}

/** Remembers `value`. A full or blocked storage costs only the memory, never the action. */
export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Private windows may refuse; nothing to tell a person about.
  }
}

/** Remembers nothing under `key` any more. */
export function forget(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // As above.
  }
}
