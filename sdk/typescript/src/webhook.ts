import { parsed } from "./answer-error.ts";
import type { ChangeEvent, NoticeEvent, SeriesEvent, WebhookEvent } from "./gen/plain.ts";

export type {
  ChangeEvent,
  ChangeEventData,
  NoticeEvent,
  NoticeEventData,
  SeriesEvent,
  SeriesEventData,
  WebhookEvent,
  WebhookEventData,
  WebhookEventDetails,
} from "./gen/plain.ts";

/** What alert rules report. `type` says which of them it is. */
export type AlertEvent = ChangeEvent | SeriesEvent | NoticeEvent;

/** A delivery that is not what the service sent: its signature is another, it is too old, or no event. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

/** How a delivery is judged. */
export interface UnwrapOptions {
  /** How far the delivery's time may be from now, in seconds; 300 by default. */
  readonly toleranceSeconds?: number | undefined;
  /** In place of the present, in Unix epoch milliseconds. */
  readonly now?: number | undefined;
}

/** Headers of a delivery: of the platform's `Request`, or of a Node request. */
export type DeliveryHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Checks a delivery by Standard Webhooks and returns its event. The body must be the bytes as they came.
 *
 * A delivery may come twice: its `webhook-id` tells. Throws a WebhookVerificationError. Of an endpoint of alert rules it is
 * `unwrapWebhook<AlertEvent>`.
 */
export async function unwrapWebhook<E extends WebhookEvent | AlertEvent = WebhookEvent>(
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
  // During a rotation there are two, of the old secret and of the new one.
  const signatures = headerOf(headers, "webhook-signature").split(" ");
  if (!(await isSigned(`${id}.${timestamp}.${text}`, signatures, secretBytes(secret))))
    throw new WebhookVerificationError("No signature of the delivery is of this secret");
  const event = parsed(text);
  if (!isEvent<E>(event)) throw new WebhookVerificationError("The delivery is no event");
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

/** The platform compares in constant time. */
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

/** Undefined for what is no base64. */
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
