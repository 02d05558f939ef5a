// A webhook from end to end: a receiver that checks signatures, its registration, a test event, and the end of it all.
// The service must run with IDS_ALLOW_LOOPBACK_WEBHOOKS=on, since the receiver is on this machine.
import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createPlainClient } from "intelligence-data-service/plain";

const { IDS_URL: baseUrl = "http://localhost:8080", IDS_API_KEY: apiKey } = process.env;
const ids = createPlainClient({ baseUrl, apiKey });

let secret = "";
const seen = new Set<string>();
const received = Promise.withResolvers<void>();
const server = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  const id = String(request.headers["webhook-id"]);
  const timestamp = String(request.headers["webhook-timestamp"]);
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
  if (!isRecent || !isSigned(`${id}.${timestamp}.${body}`, String(request.headers["webhook-signature"]))) {
    response.writeHead(401).end();
    return;
  }
  // A delivery may come twice; its id tells.
  if (!seen.has(id)) console.log(`received: ${JSON.parse(body).type}`);
  seen.add(id);
  response.writeHead(204).end();
  received.resolve();
});

/** One of the signatures is ours: during a rotation there are two. */
function isSigned(text: string, signatures: string): boolean {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const own = Buffer.from(`v1,${createHmac("sha256", key).update(text).digest("base64")}`);
  return signatures.split(" ").some((signature) => {
    const sent = Buffer.from(signature);
    return sent.length === own.length && timingSafeEqual(sent, own);
  });
}

await once(server.listen(0, "127.0.0.1"), "listening");
const { port } = server.address() as AddressInfo;
const registered = await ids.post("/api/v2/shipping/webhooks", {
  callbackUrl: `http://127.0.0.1:${port}/`,
  chokepointIds: ["suez", "hormuz_strait"],
  alertThreshold: 60,
});
secret = registered.secret;
const { subscriberId } = registered;
await ids.post("/api/v2/shipping/webhooks/{subscriber_id}/test", { subscriberId });
await received.promise;
await ids.delete("/api/v2/shipping/webhooks/{subscriber_id}", { subscriberId });
const { webhooks } = await ids.get("/api/v2/shipping/webhooks");
console.log(`webhooks left: ${webhooks.length}`);
server.close();
