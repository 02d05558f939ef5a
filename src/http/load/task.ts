/**
 * Programs use the lane `api`, people use `page`. If both lanes have waiting tasks, `api` gets two thirds of the time.
 */
export type Lane = "api" | "page";

/** One unit of work in the fair queue. */
export interface Task {
  readonly lane: Lane;
  /** ID of the account, or the network of a client without a key. */
  readonly caller: string;
  readonly isKeyed: boolean;
  /** Whether the task may wait for another server. It then counts only toward the limit of its caller. */
  readonly waitsOutside: boolean;
  readonly client: {
    readonly isGone: () => boolean;
    /** Returns whether the client has too many unread response bytes, so that its task must wait. */
    readonly isBackedUp: () => boolean;
  };
}
