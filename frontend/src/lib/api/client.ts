/** The only place that calls the server: session cookie, CSRF token, one error shape. */
import { ApiError, parseError } from "./error";

export type Query = Record<string, string | number | boolean | null | undefined>;

interface Options {
  query?: Query;
  /** Sent as JSON; a FormData is sent as it is. */
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** `/api` + path, with the query's empty values left out. */
export function address(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === "" || value === false) continue;
    parameters.set(key, value === true ? "1" : String(value));
  }
  const text = parameters.toString();
  return `/api${path}${text === "" ? "" : `?${text}`}`;
}

/** Django's CSRF token, from the cookie `csrftoken`; "" before the first page set it. */
export function csrfToken(cookies: string = document.cookie): string {
  const found = /(?:^|;\s*)csrftoken=([^;]*)/.exec(cookies);
  return found?.[1] === undefined ? "" : decodeURIComponent(found[1]);
}

async function send(method: string, path: string, options: Options): Promise<Response> {
  // The server's sentences come in the language of the page.
  const headers = new Headers({
    Accept: "application/json",
    "Accept-Language": document.documentElement.lang,
  });
  let body: BodyInit | null = null;
  if (options.body instanceof FormData) body = options.body;
  else if (options.body !== undefined) {
    headers.set("Content-Type", "application/json");
    body = JSON.stringify(options.body);
  }
  if (method !== "GET") headers.set("X-CSRFToken", csrfToken());
  let response: Response;
  try {
    response = await fetch(address(path, options.query), {
      method,
      headers,
      body,
      credentials: "same-origin",
      signal: options.signal ?? null,
      // A deletion asked for just before the page is left still arrives.
      keepalive: method === "DELETE",
    });
  } catch (reason) {
    if (reason instanceof DOMException && reason.name === "AbortError") throw reason;
    throw new ApiError("unreachable", 0, {}, String(reason));
  }
  if (!response.ok) throw parseError(response.status, response.statusText, await response.text());
  return response;
}

async function json<T>(method: string, path: string, options: Options): Promise<T> {
  const response = await send(method, path, options);
  if (response.status === 204) return undefined as T;
  const text = await response.text();
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new ApiError("not JSON", response.status, {}, text);
  }
}

/** Calls of the HTTP API. Every one throws ApiError, or the AbortError of its signal. */
export const api = {
  get: <T>(path: string, query?: Query, signal?: AbortSignal) =>
    json<T>("GET", path, { ...(query && { query }), signal }),
  post: <T>(path: string, body?: unknown, signal?: AbortSignal) =>
    json<T>("POST", path, { body: body ?? {}, signal }),
  put: <T>(path: string, body: unknown) => json<T>("PUT", path, { body }),
  patch: <T>(path: string, body: unknown) => json<T>("PATCH", path, { body }),
  delete: (path: string) => json<undefined>("DELETE", path, {}),
  /** A binary answer, such as `/runs/{id}/bars`. */
  bytes: async (path: string, query?: Query, signal?: AbortSignal): Promise<ArrayBuffer> =>
    (await send("GET", path, { ...(query && { query }), signal })).arrayBuffer(),
};
