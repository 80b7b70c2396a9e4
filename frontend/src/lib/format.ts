/** How numbers, times and ids are written, everywhere the same. Nothing here knows React. */

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** `1,204` · `18.2k` · `3.4M`: three figures are enough to compare. */
export function compact(value: number): string {
  const size = Math.abs(value);
  if (size < 10_000) return Math.round(value).toLocaleString("en-US");
  if (size < 999_500) return `${trim(value / 1e3)}k`;
  if (size < 999_500_000) return `${trim(value / 1e6)}M`;
  return `${trim(value / 1e9)}B`;
}

function trim(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1).replace(/\.0$/, "");
}

/** US dollars: two places, more where it would read as nothing. */
export function money(usd: number): string {
  if (usd === 0) return "$0";
  if (Math.abs(usd) < 0.0001) return "<$0.0001";
  if (Math.abs(usd) < 0.01) return `$${usd.toFixed(4)}`;
  return `$${usd.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** A length of time given in microseconds: `850 µs` · `12 ms` · `3.4 s` · `2:05` min · `1:02:05` h. */
export function duration(us: number): string {
  if (us < 1_000) return `${String(Math.round(us))} µs`;
  if (us < 1_000_000) return `${us < 10_000 ? (us / 1e3).toFixed(1) : String(Math.round(us / 1e3))} ms`;
  const seconds = us / 1e6;
  if (seconds < MINUTE - 0.05) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const tail = `${pad(Math.floor(whole / MINUTE) % MINUTE)}:${pad(whole % MINUTE)}`;
  if (whole < HOUR) return tail.replace(/^0/, "");
  return `${String(Math.floor(whole / HOUR))}:${tail}`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}

/** Bytes in powers of 1024: `312 B` · `1.5 KB` · `20 MB`. */
export function bytes(size: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let value = size;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? String(value) : trim(value)} ${units[unit] ?? "B"}`;
}

/** The largest unit that fits, for Intl.RelativeTimeFormat. Negative is the past. */
export function relativeParts(us: number, nowUs: number): [number, Intl.RelativeTimeFormatUnit] {
  const seconds = Math.round((us - nowUs) / 1e6);
  const size = Math.abs(seconds);
  if (size < MINUTE) return [seconds, "second"];
  if (size < HOUR) return [Math.trunc(seconds / MINUTE), "minute"];
  if (size < DAY) return [Math.trunc(seconds / HOUR), "hour"];
  if (size < 30 * DAY) return [Math.trunc(seconds / DAY), "day"];
  if (size < 365 * DAY) return [Math.trunc(seconds / (30 * DAY)), "month"];
  return [Math.trunc(seconds / (365 * DAY)), "year"];
}

// Making a formatter costs a hundred times what using it does, and a table has many times.
const relativeFormats = new Map<string, Intl.RelativeTimeFormat>();
const exactFormats = new Map<string, Intl.DateTimeFormat>();

function kept<T>(formats: Map<string, T>, key: string, make: () => T): T {
  const found = formats.get(key) ?? make();
  formats.set(key, found);
  return found;
}

/** `3 min ago` in the given language. */
export function relative(us: number, nowUs: number, language: string): string {
  const [value, unit] = relativeParts(us, nowUs);
  const make = () => new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
  return kept(relativeFormats, language, make).format(value, unit);
}

/** The exact time with its zone: `1 Dec 2026, 14:02:07.123 UTC+1`. */
export function exact(us: number, language: string, timeZone?: string): string {
  const make = () =>
    new Intl.DateTimeFormat(language === "zh" ? "zh-CN" : "en-GB", {
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      fractionalSecondDigits: 3,
      timeZoneName: "short",
      ...(timeZone !== undefined && { timeZone }),
    });
  return kept(exactFormats, `${language} ${timeZone ?? ""}`, make).format(us / 1000);
}

/** The last eight characters: those in front are the time, the same for all runs of a minute. */
export function shortId(id: string): string {
  return id.length <= 10 ? id : id.slice(-8);
}
