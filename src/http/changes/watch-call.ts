import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import type { ChangesService, WatchChangesRequest } from "../../../gen/es/ids/changes/v1/changes_pb.ts";
import { callerKey, principalOf } from "../../access/caller.ts";
import type { Principal } from "../../access/keys/api-key.ts";
import type { ChangeEntry } from "../../changes/change-message.ts";
import { asOfHeader } from "../../contract/as-of.ts";
import type { StreamOperation } from "../../contract/catalog.ts";
import { validate } from "../../interceptors/validate.ts";
import { toConnectError } from "../errors.ts";
import { exchangeKey } from "../rpc/exchange-key.ts";
import { noPast, type WatchParts } from "./watch-parts.ts";
import type { EndReason, StreamOwner } from "./watch-streams.ts";

/** If the client has more unread bytes than this, the stream stops reading from the store. */
const maxWaiting = 64 * 1024;

const resumePosition = "x-resume-position";

/** Streams changes over Connect, gRPC, and gRPC-Web. The trailer contains the position to resume from. */
export function watchCall(
  operation: StreamOperation,
  parts: WatchParts,
): ServiceImpl<typeof ChangesService>["watchChanges"] {
  return async function* (request, context) {
    const exchange = context.values.get(exchangeKey);
    if (!exchange) throw new TypeError("Changes are watched by a request");
    const principal = principalOf(context.values.get(callerKey));
    if (parts.isSample) context.responseHeader.set("X-Data-Origin", "sample");
    if (context.requestHeader.has(asOfHeader)) throw toConnectError(noPast, exchange.now);
    const selection = selectionOf(operation, parts, request, { principal, now: exchange.now });
    const waiting = waitingEntries();
    let isBeat = false;
    let ended: EndReason | undefined;
    const owner: StreamOwner = {
      operation,
      principal,
      client: exchange,
      beat() {
        isBeat = true;
        waiting.wake();
      },
      stalledSince: waiting.stalledSince,
      end(reason) {
        ended = reason;
        waiting.wake();
      },
    };
    const open = opened(parts, owner, exchange.now);
    context.signal.addEventListener("abort", waiting.wake);
    let subscription: Awaited<ReturnType<WatchParts["feed"]["subscribe"]>> | undefined;
    try {
      subscription = await parts.feed.subscribe(selection, request.after, waiting);
      let reported = subscription.position();
      for (;;) {
        context.responseTrailer.set(resumePosition, String(reported));
        const entry = waiting.next();
        if (entry) {
          reported = entry.position;
          open.sent();
          yield { change: entry.message, position: BigInt(reported) };
        } else if (ended) throw endError(ended, exchange.now);
        else if (context.signal.aborted) return;
        else if (isBeat) {
          isBeat = false;
          reported = Math.max(reported, subscription.position());
          yield { position: BigInt(reported) };
        } else await waiting.anything();
      }
    } catch (error) {
      throw toConnectError(error, exchange.now);
    } finally {
      open.close();
      subscription?.end();
      context.signal.removeEventListener("abort", waiting.wake);
    }
  };
}

/** Returns the selection of changes for a request. Throws the RPC equivalent of `InvalidRequest`. */
function selectionOf(
  operation: StreamOperation,
  { select }: WatchParts,
  request: WatchChangesRequest,
  { principal, now }: { readonly principal: Principal; readonly now: number },
) {
  try {
    validate(operation, request);
    return select(request, principal);
  } catch (error) {
    throw toConnectError(error, now);
  }
}

/** Opens a stream. If the account has its maximum of streams, throws the RPC equivalent of `Congested`. */
function opened({ streams }: WatchParts, owner: StreamOwner, now: number) {
  try {
    return streams.open(owner);
  } catch (error) {
    throw toConnectError(error, now);
  }
}

/** Returns the error that ends a stream, with the position to resume from in its trailer. */
function endError(reason: EndReason, now: number): ConnectError {
  if (reason.why === "access") return toConnectError(reason.error, now);
  return reason.why === "slow"
    ? new ConnectError("The client reads too slowly: resume from the position in the trailer", Code.Aborted)
    : new ConnectError(
        "The service shuts down: reconnect and resume from the position in the trailer",
        Code.Unavailable,
      );
}

/** Queues entries between the feed of changes and the RPC library, which takes them one by one. */
function waitingEntries() {
  const entries: ChangeEntry[] = [];
  let bytes = 0;
  let takenAt = performance.now();
  let wakeUp = () => {};
  let emptied = () => {};
  return {
    wake: () => {
      wakeUp();
      // `drained` resolves too, without waiting until the library confirms the end of the stream.
      emptied();
    },
    send(entry: ChangeEntry) {
      if (entries.length === 0) takenAt = performance.now();
      entries.push(entry);
      bytes += entry.frame.length;
      wakeUp();
    },
    isFull: () => bytes > maxWaiting,
    drained: () =>
      new Promise<void>((resolve) => {
        if (entries.length === 0) resolve();
        else emptied = resolve;
      }),
    stalledSince: () => (entries.length > 0 ? takenAt : undefined),
    next(): ChangeEntry | undefined {
      const entry = entries.shift();
      if (!entry) return undefined;
      takenAt = performance.now();
      bytes -= entry.frame.length;
      if (entries.length === 0) emptied();
      return entry;
    },
    anything: () =>
      new Promise<void>((resolve) => {
        if (entries.length > 0) resolve();
        else wakeUp = resolve;
      }),
  };
}
