/** The cache of server data that all features share. */
import { QueryClient } from "@tanstack/react-query";

import { ApiError } from "./error";

/** Retries only what may pass by itself: no answer, or the server's own trouble. */
function retry(failures: number, error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return (error.status === 0 || error.status >= 502) && failures < 3;
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry, staleTime: 5_000, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });
}
