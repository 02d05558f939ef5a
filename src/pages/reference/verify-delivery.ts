import { AlertsService } from "../../../gen/es/ids/alerts/v1/alerts_pb.ts";
import { ShippingService } from "../../../gen/es/ids/shipping/v2/shipping_pb.ts";
import type { Operation } from "../../contract/catalog.ts";
import { deliveryHeaders } from "../../contract/openapi/webhooks.ts";
import { secretMark } from "../../delivery/signature.ts";
import { anchorOf, type Block, code, heading, list, table, text } from "./blocks.ts";

const title = "Verify a delivery";

export const verificationPath = `/docs#${anchorOf(title)}`;

/** Maximum age in seconds of a webhook delivery, as in the client packages. An older one may be a replay. */
const toleranceSeconds = 300;

const delivering: readonly Operation["method"]["parent"][] = [AlertsService, ShippingService];

export function deliveryBlocks({ method }: Operation): Block[] {
  if (!delivering.includes(method.parent)) return [];
  return [heading("Deliveries"), text(`Webhook deliveries are signed: [verify a delivery](${verificationPath}).`)];
}

const node = `import { createHmac, timingSafeEqual } from "node:crypto";

// body: the received bytes as a Buffer or a string; headers: those of a Node request.
export function isGenuine(body, headers, secret, now = Date.now()) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures = "" } = headers;
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= ${toleranceSeconds})) return false;
  const key = Buffer.from(secret.slice("${secretMark}".length), "base64");
  const expected = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\`).update(body).digest();
  return signatures.split(" ").some((each) => {
    const given = Buffer.from(each.replace(/^v1,/, ""), "base64");
    return each.startsWith("v1,") && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
`;

const python = `import base64
import hashlib
import hmac
import time


# body: the bytes as they came; headers: with names in lower case, or in any, as Flask and Django have them.
def is_genuine(body, headers, secret, now=None):
    identity, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    now = time.time() if now is None else now
    if not timestamp.isdecimal() or abs(now - int(timestamp)) > ${toleranceSeconds}:
        return False
    key = base64.b64decode(secret[len("${secretMark}") :])
    digest = hmac.new(key, f"{identity}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    return any(hmac.compare_digest(expected, each) for each in headers["webhook-signature"].split(" "))
`;

export const verification: Block = {
  kind: "fold",
  text: title,
  amount: [2, "sample"],
  blocks: [
    text(
      "Webhook deliveries are signed as in [Standard Webhooks](https://www.standardwebhooks.com) 1.0, so you can verify them with its libraries. Each delivery has these headers:",
    ),
    table(
      ["Header", "Meaning"],
      Object.entries(deliveryHeaders).map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    list([
      `The key of the HMAC is the part of the secret after \`${secretMark}\`, decoded from base64.`,
      "Sign the received bytes of the body. Parsing and serializing the JSON changes them.",
      `Reject a delivery whose \`webhook-timestamp\` is more than ${toleranceSeconds} seconds from now, before or after.`,
      "After a rotation, both the old and the new secret sign for 24 hours. One matching signature is enough.",
      "A delivery may arrive twice: store the `webhook-id` of those that you have processed.",
    ]),
    code("Node", "js", node),
    code("Python", "python", python),
    text(
      "The [clients](/docs#clients) verify deliveries with `unwrapWebhook` in TypeScript, `Webhook.Unwrap` in Go, `unwrap_webhook` in Python.",
    ),
  ],
};
