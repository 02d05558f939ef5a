import { Readable } from "node:stream";
import { constants, createGunzip, gzipSync } from "node:zlib";
import { Response } from "undici";
import { type Exchange, type Network, whole } from "./played-source.ts";

const megabyte = new Uint8Array(1024 * 1024).fill(32);
const privateAddress = "http://169.254.169.254/latest/meta-data/";

/** What goes wrong on the way, for every request of a source; `half` is the request in the middle. */
export const networkFaults: readonly (readonly [string, (half: number) => Network])[] = [
  ["HTML", () => () => whole("<!doctype html><html><body>Please enable JavaScript</body></html>")],
  ["{error}", () => () => whole('{"error":"Internal: try again later"}')],
  [
    "half a body",
    () =>
      ({ text }) =>
        whole(text.slice(0, text.length / 2)),
  ],
  [
    "truncated gzip",
    () =>
      ({ text }) =>
        truncatedGzip(text),
  ],
  [
    "wrong charset",
    () =>
      ({ text }) =>
        new Response(Buffer.from(text, "utf16le")),
  ],
  [
    "BOM",
    () =>
      ({ text }) =>
        new Response(Buffer.from(`\u{feff}${text}`)),
  ],
  ["429", () => () => new Response(null, { status: 429, headers: { "retry-after": "7" } })],
  ["5xx", () => () => new Response("broken", { status: 503 })],
  [
    "1 byte/s",
    () =>
      (exchange, { signal }) =>
        slow(exchange, signal),
  ],
  ["1 GB", () => () => endless()],
  [
    "redirect to a private address",
    () => () => new Response(null, { status: 302, headers: { location: privateAddress } }),
  ],
  [
    "403 at the n-th call",
    (half) =>
      (_, { count }) =>
        count >= half ? new Response(null, { status: 403 }) : undefined,
  ],
];

/** Decoded as undici does, which takes what came for all there was. */
function truncatedGzip(text: string): Response {
  const packed = gzipSync(text);
  const { Z_SYNC_FLUSH } = constants;
  const cut = Readable.from([packed.subarray(0, packed.length * 0.9)]);
  const unpacked = cut.pipe(createGunzip({ flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH }));
  return new Response(Readable.toWeb(unpacked) as ReadableStream);
}

/** Sends a byte at a time, until the client stops waiting. */
function slow({ text }: Exchange, signal: AbortSignal): Response {
  const bytes = Buffer.from(text);
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      signal.addEventListener("abort", () => controller.error(signal.reason));
    },
    pull(controller) {
      if (sent === 0) controller.enqueue(bytes.subarray(sent, ++sent));
      return new Promise(() => undefined);
    },
  });
  return new Response(body);
}

/** A gigabyte, of one megabyte of memory. */
function endless(): Response {
  let sent = 0;
  return new Response(
    new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ < 1024) controller.enqueue(megabyte);
        else controller.close();
      },
    }),
  );
}
