import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts what the store must keep but nobody may read there. */
export interface Sealing {
  readonly seal: (text: string) => Buffer;
  /** Throws when the bytes were not sealed with this secret for this purpose. */
  readonly open: (sealed: Buffer) => string;
}

const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM under a key of its own for each purpose, derived from the service's secret by HKDF. */
export function sealing(secret: Buffer, purpose: string): Sealing {
  const key = Buffer.from(hkdfSync("sha256", secret, "", `ids:${purpose}`, 32));
  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(sealed) {
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]).toString(
        "utf8",
      );
    },
  };
}
