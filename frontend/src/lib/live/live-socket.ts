import { backOff } from "./back-off";
import { parseMessage, type ClientMessage, type ServerMessage } from "./messages";

/** `offline` while the browser says that there is no network; `idle` while nothing is wanted. */
export type ConnectionState = "idle" | "connecting" | "live" | "reconnecting" | "offline";

/** The part of a WebSocket that is used. */
export interface SocketLike {
  readonly readyState: number;
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onmessage: ((message: { data: unknown }) => void) | null;
  send(text: string): void;
  close(): void;
}

/** What a socket needs of its surroundings; a test passes its own. */
export interface SocketSurroundings {
  open(): SocketLike;
  /** Run later; returns what cancels it. */
  later(run: () => void, milliseconds: number): () => void;
  online(): boolean;
  random(): number;
  /** Call back when the network returns or the page is looked at again. */
  onWake(run: () => void): () => void;
}

export type RunMessage = Extract<ServerMessage, { run: string }>;

interface Follower {
  after: () => number;
  receive: (message: RunMessage) => void;
}

const OPEN = 1;

/**
 * The page's one WebSocket. Opens when something is wanted, closes when nothing is, and comes
 * back by itself: every follower is then asked for the last seq it has and followed from there.
 */
export class LiveSocket {
  private socket: SocketLike | null = null;
  private attempt = 0;
  private cancelRetry: (() => void) | null = null;
  private current: ConnectionState = "idle";
  private readonly followers = new Map<string, Set<Follower>>();
  private readonly broadcast = new Set<(message: ServerMessage) => void>();
  private readonly watchers = new Set<() => void>();
  private runsWanted = 0;

  constructor(private readonly surroundings: SocketSurroundings) {
    surroundings.onWake(() => this.wake());
  }

  /** For `useSyncExternalStore`. */
  readonly state = (): ConnectionState => this.current;

  /** Be called when the state changes; returns what ends it. */
  readonly watch = (run: () => void): (() => void) => {
    this.watchers.add(run);
    return () => this.watchers.delete(run);
  };

  /**
   * Follow a run's events and chunks.
   *
   * `after` is asked at every (re)connection: the last seq that need not be sent again.
   */
  follow(run: string, after: () => number, receive: (message: RunMessage) => void): () => void {
    const follower = { after, receive };
    const set = this.followers.get(run) ?? new Set<Follower>();
    set.add(follower);
    this.followers.set(run, set);
    this.wanted({ type: "follow", run, after: this.lowest(run) });
    return () => {
      set.delete(follower);
      if (set.size > 0) return;
      this.followers.delete(run);
      this.unwanted({ type: "unfollow", run });
    };
  }

  /** Hear of changed runs and of the set-up. */
  listen(receive: (message: ServerMessage) => void): () => void {
    this.broadcast.add(receive);
    this.runsWanted += 1;
    this.wanted({ type: "runs" });
    return () => {
      this.broadcast.delete(receive);
      this.runsWanted -= 1;
      this.unwanted(null);
    };
  }

  private lowest(run: string): number {
    let lowest = Number.MAX_SAFE_INTEGER;
    for (const follower of this.followers.get(run) ?? []) {
      lowest = Math.min(lowest, follower.after());
    }
    return lowest;
  }

  private wanted(message: ClientMessage): void {
    if (this.socket?.readyState === OPEN) this.send(message);
    else if (this.socket === null && this.cancelRetry === null) this.connect();
  }

  private unwanted(message: ClientMessage | null): void {
    if (this.socket?.readyState === OPEN && message !== null) this.send(message);
    if (this.followers.size > 0 || this.runsWanted > 0) return;
    this.cancelRetry?.();
    this.cancelRetry = null;
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.become("idle");
  }

  private connect(): void {
    this.cancelRetry = null;
    if (!this.surroundings.online()) {
      this.become("offline");
      this.retry();
      return;
    }
    this.become(this.attempt === 0 ? "connecting" : "reconnecting");
    const socket = this.surroundings.open();
    this.socket = socket;
    socket.onopen = () => {
      if (this.socket === socket) this.opened();
    };
    socket.onclose = () => {
      if (this.socket === socket) this.lost();
    };
    socket.onmessage = ({ data }) => {
      if (this.socket === socket) this.receive(parseMessage(data));
    };
  }

  private opened(): void {
    this.attempt = 0;
    this.become("live");
    if (this.runsWanted > 0) this.send({ type: "runs" });
    for (const run of this.followers.keys()) {
      this.send({ type: "follow", run, after: this.lowest(run) });
    }
  }

  private lost(): void {
    this.socket = null;
    this.become(this.surroundings.online() ? "reconnecting" : "offline");
    this.retry();
  }

  private retry(): void {
    const wait = backOff(this.attempt, this.surroundings.random());
    this.attempt += 1;
    this.cancelRetry = this.surroundings.later(() => this.connect(), wait);
  }

  private wake(): void {
    if (this.cancelRetry === null) return;
    this.cancelRetry();
    this.attempt = Math.max(1, Math.min(this.attempt, 2));
    this.connect();
  }

  private receive(message: ServerMessage | null): void {
    if (message === null) return;
    if ("run" in message) {
      for (const follower of [...(this.followers.get(message.run) ?? [])]) {
        follower.receive(message);
      }
      return;
    }
    for (const receive of [...this.broadcast]) receive(message);
  }

  private send(message: ClientMessage): void {
    this.socket?.send(JSON.stringify(message));
  }

  private become(state: ConnectionState): void {
    if (state === this.current) return;
    this.current = state;
    for (const run of [...this.watchers]) run();
  }
}

/** The browser's own surroundings for `path` on the page's host. */
export function browserSurroundings(path = "/ws/live"): SocketSurroundings {
  return {
    open() {
      const scheme = location.protocol === "https:" ? "wss:" : "ws:";
      return new WebSocket(`${scheme}//${location.host}${path}`) as unknown as SocketLike;
    },
    later(run, milliseconds) {
      const id = setTimeout(run, milliseconds);
      return () => clearTimeout(id);
    },
    online: () => navigator.onLine,
    random: Math.random,
    onWake(run) {
      const seen = () => {
        if (document.visibilityState === "visible") run();
      };
      window.addEventListener("online", run);
      document.addEventListener("visibilitychange", seen);
      return () => {
        window.removeEventListener("online", run);
        document.removeEventListener("visibilitychange", seen);
      };
    },
  };
}

let shared: LiveSocket | null = null;

/** The one socket of this page. */
export function liveSocket(): LiveSocket {
  shared ??= new LiveSocket(browserSurroundings());
  return shared;
}
