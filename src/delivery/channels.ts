import type { Encryption } from "../access/encryption.ts";
import { type Attempted, type AttemptParts, attempt } from "./attempt.ts";
import type { DeliveryRow, EndpointKind, EndpointRow } from "./delivery-table.ts";
import { type MailParts, sendMail } from "./mail.ts";
import { signatureHeaders } from "./signature.ts";

export interface EventText {
  readonly subject: string;
  readonly text: string;
}

export interface ChannelParts extends AttemptParts {
  readonly encryption: Encryption;
  /** Mail server; undefined if none is configured. */
  readonly mail?: MailParts | undefined;
  readonly textOf: (delivery: Pick<DeliveryRow, "type" | "body">, endpoint: EndpointRow) => EventText;
}

/** Sends a delivery once. Throws only if the secret of its endpoint cannot be decrypted. */
export type Channel = (endpoint: EndpointRow, delivery: DeliveryRow, at: Date) => Promise<Attempted>;

/** Returns the sender for each kind of endpoint. Nothing is sent to a feed, because clients read it. */
export function channels(parts: ChannelParts): Readonly<Record<EndpointKind, Channel>> {
  const { tracing } = parts;
  const plain = plainChannels(parts);
  if (!tracing) return plain;
  const recorded = Object.entries(plain).map(([kind, send]): [string, Channel] => [
    kind,
    (endpoint, delivery, at) =>
      tracing.step(
        () => ({ name: `deliver ${kind}`, attributes: { "ids.delivery": delivery.id }, isCall: true }),
        async (note) => {
          const attempted = await send(endpoint, delivery, at);
          note({ "http.response.status_code": attempted.status, "error.type": attempted.error || undefined });
          return attempted;
        },
      ),
  ]);
  return { ...plain, ...Object.fromEntries(recorded) };
}

function plainChannels(parts: ChannelParts): Readonly<Record<EndpointKind, Channel>> {
  const signed: Channel = (endpoint, { id, body }, at) =>
    attempt(endpoint.callback_url, body, signatureHeaders({ id, at, body }, secretsOf(endpoint, at, parts)), parts);
  return {
    chokepoints: signed,
    webhook: signed,
    slack: (endpoint, delivery) => {
      const { subject, text } = parts.textOf(delivery, endpoint);
      const body = JSON.stringify({ text: `*${escaped(subject)}*\n${escaped(text)}` });
      return attempt(parts.encryption.open(endpoint.secret), body, {}, parts);
    },
    email: (endpoint, delivery) =>
      sendMail(
        { id: delivery.id, to: endpoint.callback_url, ...parts.textOf(delivery, endpoint) },
        parts.mail,
        parts.timeoutMs,
      ),
    feed: async () => ({ error: "" }),
  };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function secretsOf(endpoint: EndpointRow, at: Date, { encryption }: ChannelParts): string[] {
  const { secret, earlier_secret: earlier, earlier_secret_until: until } = endpoint;
  return [secret, ...(earlier && until && until > at ? [earlier] : [])].map((encrypted) => encryption.open(encrypted));
}
