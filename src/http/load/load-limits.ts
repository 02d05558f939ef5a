import { batchLimits } from "../batch/run-batch.ts";
import { listenerLimits } from "../listener.ts";
import { backedUpBytes } from "../sliced-response.ts";
import { sliceMs } from "./accept-queue.ts";
import { admissionLimits } from "./admission.ts";

/** One bound of what is done and held at the same time, for the documentation. */
export interface LoadLimit {
  readonly what: string;
  readonly bound: string;
  readonly beyond: string;
  readonly protects: string;
}

const { places, keylessPlaces, placesOfAccount, placesOfAddress, ...admission } = admissionLimits;
const { connections, connectionsPerAddress, http2PerAddress, streams, streamsPerAddress } = listenerLimits;
const { unreadBytes, stalledMs, idleMs } = listenerLimits;

const waits = "waits for its turn";
const disconnects = "disconnects the one without a valid key that was silent longest; if there is none, the new one";
const shed = "503 with `Retry-After`";
const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
const seconds = (milliseconds: number) => `${milliseconds / 1000} s`;

/** Every bound, in the order in which a request meets them. */
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
    beyond: "the one that is idle longest is asked to end; where none is, `ENHANCE_YOUR_CALM`",
    protects: "memory",
  },
  { what: "Requests under way on one HTTP/2 connection", bound: "100", beyond: "refused stream", protects: "memory" },
  {
    what: "The same on all HTTP/2 connections of one address (not of a trusted proxy)",
    bound: `${streamsPerAddress}`,
    beyond: "refused stream",
    protects: "other callers",
  },
  {
    what: "Requests under way on all HTTP/2 connections",
    bound: `${streams}`,
    beyond: "the connection with most is cut",
    protects: "memory",
  },
  {
    what: "Requests that wait for the store",
    bound: `${places}, of them ${keylessPlaces} without a key`,
    beyond: waits,
    protects: "the store's ten connections: two stay free for keys and health",
  },
  {
    what: "Of one account, whatever its addresses and keys, those that wait for an upstream or a name server included",
    bound: `${placesOfAccount}`,
    beyond: waits,
    protects: "other callers",
  },
  {
    what: "The same of one address without a key",
    bound: `${placesOfAddress}`,
    beyond: waits,
    protects: "other callers, those with keys behind the same address included",
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
    what: "Requests that wait for their turn, of one caller and of all",
    bound: `${admission.waitingOfCaller} and ${admission.waiting}`,
    beyond: `${shed}; where all have too many, of who has most`,
    protects: "memory",
  },
  {
    what: "Wait for a turn",
    bound: seconds(admission.deadlineMs),
    beyond: `${shed}, sooner where the line is too slow for it`,
    protects: "callers from waiting in vain",
  },
  {
    what: "Requests read without looking for new ones, and work begun before that",
    bound: `${sliceMs} ms, and that of one request`,
    beyond: "goes on in the next turn of the event loop",
    protects: "probes, which never wait, and answers that are at hand",
  },
  {
    what: "Bytes that wait for the reader of one HTTP/2 connection",
    bound: megabytes(backedUpBytes),
    beyond: `its next request ${waits}`,
    protects: "memory",
  },
  {
    what: "Bytes that wait for readers, of all connections",
    bound: megabytes(unreadBytes),
    beyond: "whoever holds most is cut",
    protects: "memory",
  },
  {
    what: "Time in which a reader takes nothing",
    bound: seconds(stalledMs),
    beyond: "its stream or connection is cut within twice that",
    protects: "memory",
  },
  {
    what: "Time in which nothing is asked, pings or not",
    bound: seconds(idleMs),
    beyond: "the connection is closed",
    protects: "connections",
  },
];
