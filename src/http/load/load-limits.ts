import { batchLimits } from "../batch/run-batch.ts";
import { listenerLimits } from "../listener.ts";
import { backedUpBytes } from "../sliced-response.ts";
import { fairQueueLimits, sliceMs } from "./fair-queue.ts";

/** A limit on concurrent work or memory, for the documentation. */
export interface LoadLimit {
  readonly what: string;
  readonly bound: string;
  readonly beyond: string;
  readonly protects: string;
}

const { concurrency, keylessConcurrency, concurrencyPerAccount, concurrencyPerAddress, ...queue } = fairQueueLimits;
const { connections, connectionsPerAddress, http2PerAddress, streams, streamsPerAddress } = listenerLimits;
const { unreadBytes, stalledMs, idleMs } = listenerLimits;

const waits = "is queued";
const disconnects = "disconnects the one without a valid key that was idle longest; if there is none, the new one";
const shed = "503 with `Retry-After`";
const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
const seconds = (milliseconds: number) => `${milliseconds / 1000} s`;

/** Every limit, in the order in which a request reaches them. */
export const loadLimits: readonly LoadLimit[] = [
  { what: "Connections", bound: `${connections}`, beyond: disconnects, protects: "file descriptors, memory" },
  {
    what: "Connections of one address (not of a trusted proxy)",
    bound: `${connectionsPerAddress}`,
    beyond: disconnects,
    protects: "the connections of others",
  },
  {
    what: "HTTP/2 connections of one address (not of a trusted proxy)",
    bound: `${http2PerAddress}`,
    beyond: "ends the one that is idle longest; if none is idle, `ENHANCE_YOUR_CALM`",
    protects: "memory",
  },
  { what: "Running requests of one HTTP/2 connection", bound: "100", beyond: "refused stream", protects: "memory" },
  {
    what: "Running requests of all HTTP/2 connections of one address (not of a trusted proxy)",
    bound: `${streamsPerAddress}`,
    beyond: "refused stream",
    protects: "other callers",
  },
  {
    what: "Running requests of all HTTP/2 connections",
    bound: `${streams}`,
    beyond: "cuts the connection with the most",
    protects: "memory",
  },
  {
    what: "Requests that wait for the store",
    bound: `${concurrency}, of them ${keylessConcurrency} without a key`,
    beyond: waits,
    protects: "the store's ten connections: two stay free for keys and health",
  },
  {
    what: "Requests of one account that wait for the store, an upstream, or a name server",
    bound: `${concurrencyPerAccount}`,
    beyond: waits,
    protects: "other callers",
  },
  {
    what: "Such requests of one address without a key",
    bound: `${concurrencyPerAddress}`,
    beyond: waits,
    protects: "other callers, including those with keys behind the same address",
  },
  {
    what: "Time of one read of a batch",
    bound: seconds(batchLimits.deadlineMs),
    beyond: "503 with `Retry-After` for that read",
    protects: "the other reads of the batch",
  },
  {
    what: "Bytes of a batch's response",
    bound: batchLimits.maxBytes.toLocaleString("en"),
    beyond: "413 for the read that does not fit",
    protects: "memory",
  },
  {
    what: "Queued requests, of one caller and of all",
    bound: `${queue.maxQueuedPerCaller} and ${queue.maxQueued}`,
    beyond: `${shed}; if the total is too large, for the caller with the most`,
    protects: "memory",
  },
  {
    what: "Queued pages, of one address and of all",
    bound: `${queue.maxQueuedPagesPerCaller} and ${queue.maxQueuedPages}`,
    beyond: `an older page, or ${shed}`,
    protects: "programs, and people from long waits",
  },
  {
    what: "Time in the queue",
    bound: seconds(queue.deadlineMs),
    beyond: `${shed}, earlier if the queue is too slow`,
    protects: "callers from waiting for a rejection",
  },
  {
    what: "Work in one tick of the event loop",
    bound: `${sliceMs} ms, and that of one request`,
    beyond: "continues in the next tick",
    protects: "probes, which are never queued, and cached responses",
  },
  {
    what: "Unread bytes of one HTTP/2 connection",
    bound: megabytes(backedUpBytes),
    beyond: `its next request ${waits}`,
    protects: "memory",
  },
  {
    what: "Unread bytes of all connections",
    bound: megabytes(unreadBytes),
    beyond: "cuts the connection with the most",
    protects: "memory",
  },
  {
    what: "Time without reading a waiting response",
    bound: seconds(stalledMs),
    beyond: "cuts its stream or connection within twice that time",
    protects: "memory",
  },
  {
    what: "Time without a request, even with pings",
    bound: seconds(idleMs),
    beyond: "closes the connection",
    protects: "connections",
  },
];
