import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { eventually, startApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { startBalancer } from "../support/servers/balancer.ts";

const portOf = (url: string) => Number(new URL(url).port);
const times = 10;

test.skipIf(spawnSync("haproxy", ["-v"]).error !== undefined)(
  "behind HAProxy a write that a replica took and did not answer is not made by another; a read is answered by another",
  { timeout: 60_000 },
  async () => {
    await using stack = new AsyncDisposableStack();
    const database = stack.adopt(await openOnce(), (each) => each.close());
    const app = stack.use(await startApp(database, { environment: { IDS_ALLOW_LOOPBACK_WEBHOOKS: "on" } }));
    /** What came to a replica that dies under each request. */
    const taken: string[] = [];
    const dying = createServer(({ method = "", url, socket }, response) => {
      if (url === "/readyz") return response.end();
      taken.push(method);
      return socket.destroy();
    });
    await once(dying.listen(0, "127.0.0.1"), "listening");
    stack.defer(() => void dying.close());
    const ports = [(dying.address() as AddressInfo).port, portOf(app.url)];
    const { url } = stack.use(await startBalancer(ports));
    await eventually(
      () => sendRequest(`${url}/livez`, ""),
      (isOk) => isOk,
    );
    taken.length = 0;

    const key = await app.key("operator");
    const done = { writes: 0, reads: 0 };
    for (let number = 0; number < times; number += 1) {
      const callbackUrl = `http://127.0.0.1:9/hook?number=${number}`;
      if (await sendRequest(`${url}/api/account/v1/create-api-key`, key, { name: `key ${number}` })) done.writes += 1;
      if (await sendRequest(`${url}/api/v2/shipping/webhooks`, key, { callbackUrl })) done.writes += 1;
      if (await sendRequest(`${url}/api/account/v1/list-api-keys`, key)) done.reads += 1;
    }
    const countOf = (wanted: string) => taken.filter((method) => method === wanted).length;
    expect(countOf("POST")).toBeGreaterThan(0);
    expect(countOf("POST") + done.writes).toBe(2 * times);
    expect(countOf("GET")).toBeGreaterThan(0);
    expect(done.reads).toBe(times);
  },
);

/** Whether a request, sent in one piece, was done. */
async function sendRequest(url: string, key: string, body?: object): Promise<boolean> {
  const headers = { "x-service-key": key, "content-type": "application/json", connection: "close" };
  const requested = request(url, { headers, method: body ? "POST" : "GET" });
  requested.end(body && JSON.stringify(body));
  try {
    const [{ statusCode = 0 } = {} as IncomingMessage] = await once(requested, "response");
    return statusCode >= 200 && statusCode < 300;
  } catch {
    return false;
  }
}
