import { once } from "node:events";
import type { RequestListener } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { startLoopback } from "./loopback.ts";

const request = { url: "https://data.example.org/v1/list" };

const compressed = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };

test.each(Object.entries(compressed))("a body in %s is read", async (encoding, compress) => {
  const answer: RequestListener = (_request, response) =>
    void response.writeHead(200, { "content-encoding": encoding }).end(compress(JSON.stringify({ n: 1 })));
  await using outside = await startLoopback([answer]);
  expect(await outside.upstream.json(request)).toEqual({ n: 1 });
  expect(outside.requests[0]?.headers["accept-encoding"]).toContain(encoding);
});

test.each(Object.entries(compressed))(
  "half a body in %s is a failure although the response ends well",
  async (encoding, compress) => {
    const whole = compress(Array.from({ length: 20_000 }, (_, n) => `line ${n * n}\n`).join(""));
    const answer: RequestListener = (_request, response) =>
      void response.writeHead(200, { "content-encoding": encoding }).end(whole.subarray(0, whole.length / 2));
    await using outside = await startLoopback([answer]);
    await expect(outside.upstream.text(request)).rejects.toThrow(
      /^data\.example\.org broke off: unexpected end of file$/,
    );
    expect(outside.requests).toHaveLength(3);
  },
);

test("the connection of a response that is refused unread is closed, however large its body is", async () => {
  const closed: Promise<unknown>[] = [];
  const endless: RequestListener = (_request, response) => {
    closed.push(once(response, "close"));
    response.writeHead(404);
    const more = () => response.write(Buffer.alloc(65_536)) && setImmediate(more);
    response.on("drain", more);
    more();
  };
  await using outside = await startLoopback([endless]);
  await expect(outside.upstream.text(request)).rejects.toThrow("data.example.org answered 404");
  await Promise.all(closed);
  expect(closed).toHaveLength(1);
});

test("the decompressed size of a body counts against the cap", async () => {
  const answer: RequestListener = (_request, response) =>
    void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(1_000_000)));
  await using outside = await startLoopback([answer]);
  await expect(outside.upstream.text({ ...request, maxBytes: 100_000 })).rejects.toThrow(/more than 100000 bytes/);
});
