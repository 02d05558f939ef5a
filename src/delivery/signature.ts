import { createHmac } from "node:crypto";

/** Prefix of a signing secret. Base64 follows it. */
export const secretMark = "whsec_";
const secretBytes = 32;

/** Creates a signing secret in the format of Standard Webhooks. */
export function newSecret(randomBytes: (size: number) => Buffer): string {
  return secretMark + randomBytes(secretBytes).toString("base64");
}

export interface Signed {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/** Returns the headers of Standard Webhooks 1.0. During a rotation, there is a signature for each secret. */
export function signatureHeaders({ id, at, body }: Signed, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretMark.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
