export { liveSocket, LiveSocket, type ConnectionState } from "./live-socket";
export { RunFeed, type Chunk, type FeedCommit } from "./run-feed";
export { useConnection } from "./use-connection";
