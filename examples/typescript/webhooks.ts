// Shows a webhook from end to end: a receiver that checks signatures, its registration, a test event, and its deletion.
// The service must run with IDS_ALLOW_LOOPBACK_WEBHOOKS=on, because the receiver is on this machine.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createPlainClient, unwrapWebhook, WebhookVerificationError } from "intelligence-data-service/plain";

const { IDS_URL: baseUrl = "http://localhost:8080", IDS_API_KEY: apiKey } = process.env;
const ids = createPlainClient({ baseUrl, apiKey });

let secret = "";
const seen = new Set<string>();
const received = Promise.withResolvers<void>();
const server = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  try {
    const { type } = await unwrapWebhook(body, request.headers, secret);
    // A delivery may arrive twice, with the same id.
    const id = String(request.headers["webhook-id"]);
    if (!seen.has(id)) console.log(`received: ${type}`);
    seen.add(id);
    response.writeHead(204).end();
    received.resolve();
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.writeHead(401).end();
  }
});

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
