import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/** Cursors that callers carry but cannot make: their content is readable, and signed. */
export interface Cursors {
  readonly sign: (content: object) => string;
  /** What was signed; undefined when the text is none of ours, or was changed. */
  readonly open: (cursor: string) => unknown;
}

const signatureBytes = 16;

/** HMAC-SHA256 under a key of its own for each purpose, derived from the service's secret by HKDF. */
export function signedCursors(secret: Buffer, purpose: string): Cursors {
  const key = Buffer.from(hkdfSync("sha256", secret, "", `ids:${purpose}`, 32));
  const signature = (body: Buffer) => createHmac("sha256", key).update(body).digest().subarray(0, signatureBytes);
  return {
    sign(content) {
      const body = Buffer.from(JSON.stringify(content));
      return Buffer.concat([signature(body), body]).toString("base64url");
    },
    open(cursor) {
      const bytes = Buffer.from(cursor, "base64url");
      // Other spellings of the same bytes are refused: a cursor is opaque and compared as text.
      if (bytes.length <= signatureBytes || bytes.toString("base64url") !== cursor) return undefined;
      const body = bytes.subarray(signatureBytes);
      if (!timingSafeEqual(bytes.subarray(0, signatureBytes), signature(body))) return undefined;
      return JSON.parse(body.toString("utf8"));
    },
  };
}
