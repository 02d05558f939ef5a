import type { Principal } from "../../access/keys/api-key.ts";
import type { AnyOperation } from "../../contract/catalog.ts";
import { networkOf } from "../../interceptors/network.ts";
import type { ReadRequest } from "../read-request.ts";
import type { FairQueue } from "./fair-queue.ts";
import type { Task } from "./task.ts";

type Client = Pick<ReadRequest, "address" | "isGone" | "isBackedUp">;

/** Queues the work of requests by caller. */
export interface RequestQueue {
  /** Throws `Overloaded` if the work cannot start in time, and `RequestAborted` if the client has disconnected. */
  readonly run: <T>(
    client: Client,
    principal: Principal | undefined,
    /** The operation; undefined for work of the RPC protocol itself, such as reflection. */
    operation: AnyOperation | undefined,
    job: () => T | Promise<T>,
  ) => T | Promise<T>;
  /** Throws `Overloaded` if a further task of the caller could not start in time. */
  readonly requireRoom: (client: Client, principal: Principal | undefined) => void;
  /** Queues the creation of a page by client address. */
  readonly createPage: <T>(client: Client, job: () => Promise<T>) => T | Promise<T>;
  readonly requireRoomForPage: (client: Client) => void;
}

/** `waitsOutside` returns whether an operation may wait for another server, such as a source or a name server. */
export function requestQueue(queue: FairQueue, waitsOutside: (operation: AnyOperation) => boolean): RequestQueue {
  return {
    run(client, principal, operation, job) {
      const task = taskOf(client, principal);
      return queue.run(operation && waitsOutside(operation) ? { ...task, waitsOutside: true } : task, job);
    },
    requireRoom: (client, principal) => queue.requireRoom(taskOf(client, principal)),
    createPage: (client, job) => queue.run(pageOf(client), job),
    requireRoomForPage: (client) => queue.requireRoom(pageOf(client)),
  };
}

/** Returns the task of a request. Its caller is the account (at any address), or without a key the address. */
function taskOf(client: Client, principal?: Principal): Task {
  return {
    ...{ lane: "api", client, isKeyed: principal !== undefined, waitsOutside: false },
    // The leading space distinguishes addresses from accounts, whose IDs never start with a space.
    caller: principal?.account ?? ` ${networkOf(client.address())}`,
  };
}

function pageOf(client: Client): Task {
  return { ...taskOf(client), lane: "page" };
}
