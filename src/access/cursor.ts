import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from "node:crypto";
import { hourMs } from "../reference/duration.ts";
import type { Secrets } from "./secret.ts";

/** Writes and reads signed cursors. Clients can send them back but cannot create or change them. */
export interface Cursors {
  readonly sign: (content: object) => string;
  /** Returns the value of a cursor; undefined if the signature or format is invalid. */
  readonly open: (cursor: string) => unknown;
}

/**
 * Signs cursors with HMAC-SHA256. HKDF derives a key per purpose from each of the service's secrets: the first one
 * signs, and any of them verifies. With `mark`, a cursor is `<mark>.<payload>.<signature>`, and the signature covers
 * mark and payload. Without `mark`, it is a single short text.
 */
export function signedCursors(secrets: Secrets, purpose: string, mark?: string): Cursors {
  const cursorsOf = (secret: Buffer) => {
    // The key is created once as an object, because Node would convert bytes again for each signature.
    const key = createSecretKey(new Uint8Array(hkdfSync("sha256", secret, "", `ids:${purpose}`, 32)));
    const sign: Sign = (data) => createHmac("sha256", key).update(data).digest();
    return mark === undefined ? shortCursors(sign) : markedCursors(sign, mark);
  };
  const first = cursorsOf(secrets[0]);
  const earlier = secrets.slice(1).map(cursorsOf);
  if (earlier.length === 0) return first;
  return {
    sign: first.sign,
    open: (cursor) =>
      first.open(cursor) ?? earlier.map(({ open }) => open(cursor)).find((content) => content !== undefined),
  };
}

/** Rounds the expiry of cursors, so that the same page keeps the same bytes and ETag. */
export function cursorEnd(now: Date, lastsMs: number): number {
  return Math.ceil((now.getTime() + lastsMs) / hourMs) * hourMs;
}

type Sign = (data: Buffer | string) => Buffer;

const signatureBytes = 16;

function shortCursors(sign: Sign): Cursors {
  const signature = (body: Buffer) => sign(body).subarray(0, signatureBytes);
  return {
    sign(content) {
      const body = bytesOf(content);
      return Buffer.concat([signature(body), body]).toString("base64url");
    },
    open(cursor) {
      const bytes = decoded(cursor);
      if (!bytes || bytes.length <= signatureBytes) return undefined;
      const body = bytes.subarray(signatureBytes);
      if (!timingSafeEqual(bytes.subarray(0, signatureBytes), signature(body))) return undefined;
      return JSON.parse(body.toString("utf8"));
    },
  };
}

function markedCursors(sign: Sign, mark: string): Cursors {
  return {
    sign(content) {
      const signed = `${mark}.${bytesOf(content).toString("base64url")}`;
      return `${signed}.${sign(signed).toString("base64url")}`;
    },
    open(cursor) {
      const [, signed = "", payload = "", end = ""] = /^([^.]*\.([^.]*))\.([^.]*)$/.exec(cursor) ?? [];
      const [body, signature] = [decoded(payload), decoded(end)];
      const wanted = sign(signed);
      if (!body || signature?.length !== wanted.length || !timingSafeEqual(signature, wanted)) return undefined;
      return signed.startsWith(`${mark}.`) ? JSON.parse(body.toString("utf8")) : undefined;
    },
  };
}

function bytesOf(content: object): Buffer {
  return Buffer.from(JSON.stringify(content));
}

/** Decodes base64url. Returns undefined for a nonstandard encoding, because cursors are compared as text. */
function decoded(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}
