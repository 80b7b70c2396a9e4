/** Whether every word typed begins a word of the label or, for Chinese, stands anywhere in it. */
export function matches(label: string, typed: string): boolean {
  const whole = label.toLowerCase();
  const words = whole.split(/[\s_/-]+/);
  return typed
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== "")
    .every((part) => words.some((word) => word.startsWith(part)) || (part.length > 2 && whole.includes(part)) || (/[^ -~]/.test(part) && whole.includes(part)));
}
