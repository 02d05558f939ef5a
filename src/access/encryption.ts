import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { SecretUnreadable } from "../errors.ts";
import type { Secrets } from "./secret.ts";

export interface Encryption {
  readonly seal: (text: string) => Buffer;
  /** Throws `SecretUnreadable` if the bytes were encrypted with an unknown secret or for another purpose. */
  readonly open: (encrypted: Buffer) => string;
  /**
   * Returns the bytes unchanged if the first secret encrypted them; encrypts them again otherwise. Throws like `open`.
   */
  readonly renew: (encrypted: Buffer) => Buffer;
}

const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts with AES-256-GCM and a key per purpose, which HKDF derives from the service's secrets. */
export function encryption(secrets: Secrets, purpose: string): Encryption {
  const derived = (secret: Buffer) => Buffer.from(hkdfSync("sha256", secret, "", `ids:${purpose}`, 32));
  const key = derived(secrets[0]);
  const keys = secrets.map(derived);
  const seal = (text: string) => {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", key, nonce);
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  };
  const opened = (encrypted: Buffer) => {
    for (const [place, each] of keys.entries()) {
      const text = openWith(each, encrypted);
      if (text !== undefined) return { text, place };
    }
    throw new SecretUnreadable(`The value stored for ${purpose} was encrypted with another IDS_SECRET_KEY`);
  };
  return {
    seal,
    open: (encrypted) => opened(encrypted).text,
    renew(encrypted) {
      const { text, place } = opened(encrypted);
      return place === 0 ? encrypted : seal(text);
    },
  };
}

/** Returns undefined if the authentication tag does not match: the key is another one, or the bytes were changed. */
function openWith(key: Buffer, encrypted: Buffer): string | undefined {
  if (encrypted.length < nonceBytes + tagBytes) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, encrypted.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAuthTag(encrypted.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = decipher.update(encrypted.subarray(nonceBytes + tagBytes));
  try {
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
