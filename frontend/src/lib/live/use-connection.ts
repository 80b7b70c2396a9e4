import { useSyncExternalStore } from "react";

import { liveSocket, type ConnectionState } from "./live-socket";

/** The state of the page's socket, kept fresh. */
export function useConnection(): ConnectionState {
  const socket = liveSocket();
  return useSyncExternalStore(socket.watch, socket.state);
}
