import { addLimits } from "../../allowance.ts";
import type { ChangeEntry } from "../../changes/change-message.ts";
import { asOfParameter } from "../../contract/as-of.ts";
import type { StreamOperation } from "../../contract/catalog.ts";
import { countryParameter, countryReader, twinOfCountry } from "../../contract/request/country-parameter.ts";
import { namesOf } from "../../contract/request/parameter-names.ts";
import { queryDecoder } from "../../contract/request/query.ts";
import { ignoredNames, unknownRejecter } from "../../contract/request/strict.ts";
import { invalidField, NotAuthenticated, RequestAborted } from "../../errors.ts";
import { validate } from "../../interceptors/validate.ts";
import { type Exchange, send } from "../exchange.ts";
import { writeHead, writeTo } from "../node-message.ts";
import { handleStrictly } from "../read-request.ts";
import { noStore } from "../rest/cache-policy.ts";
import type { RestRoute } from "../rest/rest.ts";
import { SlicedResponse } from "../sliced-response.ts";
import { noPast, type WatchParts, type WatchRequest } from "./watch-parts.ts";
import type { EndReason } from "./watch-streams.ts";

/** If the client has more unread bytes than this, the stream stops reading from the store. */
const maxWaiting = 64 * 1024;
/** If the client does not read the last event within this time, its connection is cut. */
const farewellMs = 2_000;
/** After a shutdown, clients reconnect after a random delay, because all are disconnected at the same time. */
const retryMs = { min: 1_000, spread: 4_000 };

export function watchRoute(operation: StreamOperation, parts: WatchParts): RestRoute {
  const { method } = operation;
  const decode = queryDecoder(method.input);
  const readCountry = countryReader(method.input);
  const others = twinOfCountry(method.input) ? [countryParameter] : [];
  const rejectUnknown = unknownRejecter(method.input.fields, others);
  const ignoredIn = ignoredNames(method.input.fields, others);
  return async (exchange) => {
    const { principal, allowance } = await parts.accessControl.admit(operation, exchange);
    if (!principal) throw new NotAuthenticated("API key required");
    if (allowance) addLimits(exchange.headers, allowance, exchange.now);
    const parameters = new URLSearchParams(exchange.query);
    handleStrictly(exchange, () => rejectUnknown(parameters.keys()));
    if (namesOf(asOfParameter).some((name) => parameters.has(name))) throw noPast;
    const ignored = ignoredIn(parameters);
    if (ignored !== undefined) exchange.headers.push("X-Ignored-Parameters", ignored);
    readCountry(parameters);
    const request = decode(parameters);
    validate(operation, request);
    const requested = request as unknown as WatchRequest;
    const selection = parts.select(requested, principal);
    const after = lastEventId(exchange) ?? requested.after;
    const stream = eventStream(exchange);
    const open = parts.streams.open({
      operation,
      principal,
      client: exchange,
      beat: () => stream.write(`: still here\nid: ${subscription?.position() ?? ""}\n\n`),
      stalledSince: stream.stalledSince,
      end(reason) {
        const position = subscription?.position();
        leave();
        stream.end(farewell(reason, position));
      },
    });
    let subscription: Awaited<ReturnType<WatchParts["feed"]["subscribe"]>> | undefined;
    const leave = () => {
      open.close();
      subscription?.end();
    };
    exchange.response.once("close", leave);
    try {
      subscription = await parts.feed.subscribe(selection, after, {
        send(entry: ChangeEntry) {
          stream.write(entry.frame);
          open.sent();
        },
        isFull: () => stream.waiting() > maxWaiting,
        drained: stream.drained,
      });
      if (exchange.isGone()) throw new RequestAborted("The caller has gone");
    } catch (error) {
      exchange.response.off("close", leave);
      leave();
      throw error;
    }
    stream.begin(parts.isSample, subscription.position());
    if (exchange.request.method === "HEAD") leave();
    return 200;
  };
}

/** Returns the position to resume from. The header overrides the URL, because a reconnecting client repeats its URL. */
function lastEventId({ request }: Exchange): bigint | undefined {
  const sent = request.headers["last-event-id"];
  if (sent === undefined || sent === "") return undefined;
  if (typeof sent === "string" && /^\d{1,15}$/.test(sent)) return BigInt(sent);
  throw invalidField("Last-Event-ID", "value must be the id of an event of this stream");
}

function farewell(reason: EndReason, position: number | undefined): string {
  const at = position === undefined ? "" : `id: ${position}\n`;
  const message = reason.why === "access" && reason.error instanceof Error ? { message: reason.error.message } : {};
  return `${at}event: end\ndata: ${JSON.stringify({ reason: reason.why, position, ...message })}\n\n`;
}

/** Writes events to a response. Events that come before the response head wait until it is sent. */
function eventStream(exchange: Exchange) {
  const { response } = exchange;
  let early: (string | Buffer)[] | undefined = [];
  let movedAt: number | undefined;
  const waiting = () => (response instanceof SlicedResponse ? response.unread : response.writableLength);
  const write = (bytes: string | Buffer) => {
    if (response.destroyed || response.writableEnded) return;
    if (early) early.push(bytes);
    else if (!writeTo(response, bytes)) movedAt ??= performance.now();
  };
  response.on("drain", () => {
    movedAt = undefined;
  });
  return {
    write,
    waiting,
    stalledSince: () => (movedAt !== undefined && waiting() > 0 ? movedAt : undefined),
    drained: () =>
      new Promise<void>((resolve) => {
        if (response.destroyed || waiting() === 0) return resolve();
        const settle = () => {
          response.off("drain", settle);
          response.off("close", settle);
          resolve();
        };
        response.once("drain", settle);
        response.once("close", settle);
      }),
    begin(isSample: boolean, position: number) {
      const headers = [
        ...["Content-Type", "text/event-stream; charset=utf-8", "X-Accel-Buffering", "no"],
        ...["X-Content-Type-Options", "nosniff", ...noStore, ...exchange.headers],
        ...(isSample ? ["X-Data-Origin", "sample"] : []),
      ];
      if (exchange.request.method === "HEAD") return send(exchange, 200, headers);
      writeHead(response, 200, headers);
      const retry = Math.round(retryMs.min + Math.random() * retryMs.spread);
      const held = early ?? [];
      early = undefined;
      write(`retry: ${retry}\nid: ${position}\n\n`);
      for (const bytes of held) write(bytes);
    },
    end(last: string) {
      if (response.destroyed) return;
      if (early) {
        early.push(last);
        return;
      }
      response.end(last);
      setTimeout(() => response.destroyed || response.destroy(), farewellMs).unref();
    },
  };
}
