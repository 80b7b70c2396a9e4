/** The one shape of every error the server gives: `{message, extra}` and its status. */

export class ApiError extends Error {
  /** HTTP status; 0 where no answer came at all. */
  readonly status: number;
  readonly extra: Record<string, unknown>;
  /** The body as it came, for the folded-out raw text. */
  readonly raw: string;

  constructor(message: string, status: number, extra: Record<string, unknown> = {}, raw = "") {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.extra = extra;
    this.raw = raw;
  }
}

/** Reads an error's body. Whatever is not our shape (a proxy's page) is kept as raw text. */
export function parseError(status: number, statusText: string, body: string): ApiError {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === "object" && parsed !== null && "message" in parsed) {
      const { message, extra } = parsed as { message: unknown; extra?: unknown };
      if (typeof message === "string") {
        const details = typeof extra === "object" && extra !== null ? extra : {};
        return new ApiError(message, status, details as Record<string, unknown>, body);
      }
    }
  } catch {
    // Not JSON: told below with the status.
  }
  return new ApiError(`${String(status)} ${statusText}`.trim(), status, {}, body);
}
