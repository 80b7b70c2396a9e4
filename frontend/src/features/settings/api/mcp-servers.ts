import { queryOptions, useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";

import { api } from "@/lib/api/client";

import type { McpServer, McpTrial, ServerInput } from "../model/mcp-server";

export const mcpServersQuery = queryOptions({
  queryKey: ["mcp-servers"],
  queryFn: ({ signal }) => api.get<McpServer[]>("/mcp-servers", {}, signal),
});

function useServersChanged(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: ["mcp-servers"] });
    await client.invalidateQueries({ queryKey: ["tools"] });
    // A team may have lacked a tool.
    await client.invalidateQueries({ queryKey: ["teams"] });
  };
}

/** Adds a server, or changes the one with `id`. */
export function useSaveServer() {
  const changed = useServersChanged();
  return useMutation({
    mutationFn: ({ id, input }: { id: string | null; input: ServerInput }) => (id === null ? api.post<McpServer>("/mcp-servers", input) : api.put<McpServer>(`/mcp-servers/${id}`, input)),
    onSuccess: changed,
  });
}

/** Adds all servers of a pasted configuration, or none. */
export function useImportServers() {
  const changed = useServersChanged();
  return useMutation({
    mutationFn: (config: unknown) => api.post<{ servers: McpServer[]; ignored: string[] }>("/mcp-servers/import", { config }),
    onSuccess: changed,
  });
}

/** Switches a server, or chooses its tools. */
export function useOfferServer() {
  const changed = useServersChanged();
  return useMutation({
    mutationFn: ({ id, ...offer }: { id: string; enabled?: boolean; tools?: string[] | null }) => api.patch<McpServer>(`/mcp-servers/${id}`, offer),
    onSettled: changed,
  });
}

export function useDeleteServer() {
  const changed = useServersChanged();
  return useMutation({ mutationFn: (id: string) => api.delete(`/mcp-servers/${id}`), onSettled: changed });
}

const TEST = ["mcp-test"];

/** Whether the server is being tested, whoever on the page began it. */
export function useIsTested(id: string): boolean {
  const tested = useMutationState({ filters: { mutationKey: TEST, status: "pending" }, select: (mutation) => mutation.state.variables });
  return tested.includes(id);
}

/** Starts or reaches the server and asks what it offers. */
export function useTestServer() {
  const changed = useServersChanged();
  return useMutation({ mutationKey: TEST, mutationFn: (id: string) => api.post<McpTrial>(`/mcp-servers/${id}/test`), onSettled: changed });
}
