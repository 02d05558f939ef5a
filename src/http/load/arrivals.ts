import { Overloaded, RequestAborted } from "../../errors.ts";
import { networkOf } from "../../interceptors/network.ts";
import { isGone } from "../exchange.ts";
import type { Request, Response } from "../node-message.ts";
import { FairQueue } from "./fair-queue.ts";

type Handle = (request: Request, response: Response) => void;

/** Health checks are never queued. */
const probes = /^\/(?:livez|readyz)/;

/** Paths that programs request, whatever their `Accept` header: the API, health checks, RPC, and files. */
const ofPrograms =
  /^\/(?:api|mcp|feeds|ogc|webhooks)(?:\/|$)|^\/(?:livez|readyz|metrics)|^\/[\w.]+\.v\d+\.\w+\/|^\/(?:docs|assets|\.well-known)\/[^/]*\.\w+$/;

/** Returns whether a path is a page. */
export function isPage(path: string): boolean {
  return !ofPrograms.test(path);
}

/** Only the deadline limits the queue of new requests, because connections and streams have limits of their own. */
const limits = {
  maxQueued: Number.POSITIVE_INFINITY,
  maxQueuedPerCaller: Number.POSITIVE_INFINITY,
  maxQueuedPages: Number.POSITIVE_INFINITY,
  maxQueuedPagesPerCaller: Number.POSITIVE_INFINITY,
};

/**
 * Handles requests fairly between addresses. Hundreds of requests that arrive together would otherwise be one long tick
 * of the event loop.
 */
export function inFairOrder(
  handle: Handle,
  reject: (request: Request, response: Response, error: Overloaded) => void,
  addressOf: (request: Request) => string,
): Handle {
  const queue = new FairQueue(limits);
  return (request, response) => {
    const path = request.url?.split("?", 1)[0] ?? "";
    if (probes.test(path) || queue.isIdle()) return handle(request, response);
    const task = {
      lane: isPage(path) ? "page" : "api",
      caller: networkOf(addressOf(request)),
      client: { isGone: () => isGone(request), isBackedUp: () => false },
      ...{ isKeyed: false, waitsOutside: false },
    } as const;
    const start = async () => queue.run(task, () => handle(request, response));
    start().catch((error: unknown) => {
      if (error instanceof Overloaded) reject(request, response, error);
      else if (!(error instanceof RequestAborted)) throw error;
    });
  };
}
