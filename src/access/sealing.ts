import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { SecretUnreadable } from "../errors.ts";
import type { Secrets } from "./secret.ts";

/** Encrypts what the store must keep but nobody may read there. */
export interface Sealing {
  readonly seal: (text: string) => Buffer;
  /** Throws `SecretUnreadable` when the bytes were sealed with none of the secrets, or for another purpose. */
  readonly open: (sealed: Buffer) => string;
  /** The same bytes where they were sealed with the first secret, else sealed anew with it. Throws as `open`. */
  readonly renew: (sealed: Buffer) => Buffer;
}

const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM under a key of its own for each purpose, derived from the service's secrets by HKDF. */
export function sealing(secrets: Secrets, purpose: string): Sealing {
  const derived = (secret: Buffer) => Buffer.from(hkdfSync("sha256", secret, "", `ids:${purpose}`, 32));
  const key = derived(secrets[0]);
  const keys = secrets.map(derived);
  const seal = (text: string) => {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", key, nonce);
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  };
  const opened = (sealed: Buffer) => {
    for (const [place, each] of keys.entries()) {
      const text = openWith(each, sealed);
      if (text !== undefined) return { text, place };
    }
    throw new SecretUnreadable(`What is kept for ${purpose} was encrypted with another IDS_SECRET_KEY`);
  };
  return {
    seal,
    open: (sealed) => opened(sealed).text,
    renew(sealed) {
      const { text, place } = opened(sealed);
      return place === 0 ? sealed : seal(text);
    },
  };
}

/** Undefined where the tag shows another key, or a change. */
function openWith(key: Buffer, sealed: Buffer): string | undefined {
  if (sealed.length < nonceBytes + tagBytes) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = decipher.update(sealed.subarray(nonceBytes + tagBytes));
  try {
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
