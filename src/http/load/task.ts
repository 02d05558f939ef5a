/** Programs and people. While both wait, programs get two thirds of the time. */
export type Lane = "api" | "page";

/** One piece of work in a queue. */
export interface Task {
  readonly lane: Lane;
  /** An account, or the network of an address without a key. */
  readonly caller: string;
  readonly isKeyed: boolean;
  /** Whether the task may wait for another server. It then counts only for its caller. */
  readonly waitsOutside: boolean;
  readonly client: {
    readonly isGone: () => boolean;
    /** Returns whether the client must read earlier responses first. */
    readonly isBackedUp: () => boolean;
  };
}
