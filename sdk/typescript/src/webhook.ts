import { parsed } from "./answer-error.ts";
import type { ChangeEvent, DigestEvent, NoticeEvent, SeriesEvent, WebhookEvent } from "./gen/plain.ts";

export type {
  ChangeEvent,
  ChangeEventData,
  DigestEvent,
  DigestEventData,
  NoticeEvent,
  NoticeEventData,
  SeriesEvent,
  SeriesEventData,
  WebhookEvent,
  WebhookEventData,
  WebhookEventDetails,
} from "./gen/plain.ts";

/** Events of alert rules. `type` is the kind of event. */
export type AlertEvent = ChangeEvent | SeriesEvent | DigestEvent | NoticeEvent;

/** All events that the service sends. `type` is the kind of event. */
export type DeliveredEvent = WebhookEvent | AlertEvent;

/** An invalid delivery: its signature is wrong, it is too old, or it is not an event. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

/** Options of the check of a delivery. */
export interface UnwrapOptions {
  /** Maximum difference of the delivery's time from now, in seconds, 300 by default. */
  readonly toleranceSeconds?: number | undefined;
  /** Time to use instead of the current time, in Unix epoch milliseconds. */
  readonly now?: number | undefined;
}

/** Headers of a delivery, as in the platform's `Request` or in a Node request. */
export type DeliveryHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Checks a delivery by Standard Webhooks and returns its event. The body must be the received bytes.
 *
 * A delivery may arrive twice, with the same `webhook-id`. Throws a WebhookVerificationError. If a receiver gets only
 * events of chokepoints, call `unwrapWebhook<WebhookEvent>`, and if only those of rules, `unwrapWebhook<AlertEvent>`.
 */
export async function unwrapWebhook<E extends DeliveredEvent = DeliveredEvent>(
  body: string | Uint8Array,
  headers: DeliveryHeaders,
  secret: string,
  { toleranceSeconds = 300, now = Date.now() }: UnwrapOptions = {},
): Promise<E> {
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const age = now / 1_000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > toleranceSeconds)
    throw new WebhookVerificationError(`The delivery is not of the last ${toleranceSeconds} seconds`);
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  // During a rotation there are two signatures, by the old secret and by the new one.
  const signatures = headerOf(headers, "webhook-signature").split(" ");
  if (!(await isSigned(`${id}.${timestamp}.${text}`, signatures, secretBytes(secret))))
    throw new WebhookVerificationError("No signature of the delivery is of this secret");
  const event = parsed(text);
  if (!isEvent<E>(event)) throw new WebhookVerificationError("The delivery is not an event");
  return event;
}

function headerOf(headers: DeliveryHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== "string") throw new WebhookVerificationError(`The delivery has no ${name}`);
  return value;
}

function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ""));
  if (!bytes || bytes.length === 0) throw new TypeError("The secret must be whsec_ and base64");
  return bytes;
}

/** Returns whether a signature matches. The platform compares in constant time. */
async function isSigned(
  text: string,
  signatures: readonly string[],
  secret: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  const signed = new TextEncoder().encode(text);
  const checks = signatures.map((signature) => {
    const bytes = signature.startsWith("v1,") ? bytesOf(signature.slice(3)) : undefined;
    return bytes ? crypto.subtle.verify("HMAC", key, bytes, signed) : false;
  });
  return (await Promise.all(checks)).includes(true);
}

/** Returns undefined if the text is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function isEvent<E>(value: unknown): value is E {
  return typeof value === "object" && value !== null && "type" in value && "data" in value;
}
