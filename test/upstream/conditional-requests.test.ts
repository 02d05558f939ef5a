import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { datasets } from "../../src/domains/index.ts";
import { liveClient } from "../../src/upstream/live.ts";
import { network } from "../../src/upstream/network.ts";
import { sampleUpstream, sampleValue } from "../../src/upstream/sample/sample.ts";
import { testTime } from "../support/app.ts";

const requested = [
  ["agsi", "etag"],
  ["gscpi", "last-modified"],
  ["canada-buys", "etag"],
  ["gets", "last-modified"],
  ["ecb-exr", "etag"],
  ["imf-weo", "etag"],
  ["state-advisories", "last-modified"],
  ["eurostat-house-prices", "etag"],
] as const;

describe("a source that is asked again in the same process", () => {
  let statuses: number[] = [];
  let playing: string;
  let validator: "etag" | "last-modified";
  const server = createServer(async (request, response) => {
    const text = await sampleUpstream(playing, () => testTime).text({ url: String(request.headers["x-original-url"]) });
    const isTagged = validator === "etag";
    const value = isTagged ? `W/"${createHash("sha256").update(text).digest("hex")}"` : testTime.toUTCString();
    const isKnown = request.headers[isTagged ? "if-none-match" : "if-modified-since"] === value;
    statuses.push(isKnown ? 304 : 200);
    response.writeHead(isKnown ? 304 : 200, { [validator]: value }).end(isKnown ? undefined : text);
  });
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => void server.close());

  const direct = network();
  const process = () =>
    liveClient({
      clock: () => testTime,
      variable: sampleValue,
      wait: async () => undefined,
      random: () => 0,
      transport(url, init) {
        const { port } = server.address() as AddressInfo;
        return direct(`http://127.0.0.1:${port}/`, { ...init, headers: { ...init.headers, "x-original-url": url } });
      },
    });

  test.each(requested)("%s sends what came with %s, and a 304 brings the same rows", async (name, sent) => {
    [playing, validator, statuses] = [name, sent, []];
    const source = datasets.flatMap(({ sources }) => sources).find((known) => known.name === name);
    const upstream = process()({ pace: source?.pace });
    const first = await source?.fetch(upstream);
    const requests = statuses.length;
    expect(statuses).toEqual(Array(requests).fill(200));
    expect(requests).toBeGreaterThan(0);
    expect(await source?.fetch(upstream)).toEqual(first);
    expect(statuses.slice(requests)).toEqual(Array(requests).fill(304));
    // The cache ends with the process.
    await source?.fetch(process()({ pace: source.pace }));
    expect(statuses.slice(2 * requests)).toEqual(Array(requests).fill(200));
  });
});
