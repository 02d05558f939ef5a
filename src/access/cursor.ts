import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from "node:crypto";
import { hourMs } from "../reference/duration.ts";
import type { Secrets } from "./secret.ts";

/** Cursors that callers carry but cannot make: their content is readable, and signed. */
export interface Cursors {
  readonly sign: (content: object) => string;
  /** What was signed; undefined when the text is none of ours, or was changed. */
  readonly open: (cursor: string) => unknown;
}

/**
 * HMAC-SHA256 under a key of its own for each purpose, derived from the service's secrets by HKDF: signed
 * with the first, opened with any. With a mark a cursor is
 * `<mark>.<payload>.<signature>` and the whole signature covers mark and payload; without one it is a single short text.
 */
export function signedCursors(secrets: Secrets, purpose: string, mark?: string): Cursors {
  const [first, ...earlier] = secrets.map((secret) => {
    // As an object, as bytes would be made one for each signature.
    const key = createSecretKey(new Uint8Array(hkdfSync("sha256", secret, "", `ids:${purpose}`, 32)));
    const sign: Sign = (data) => createHmac("sha256", key).update(data).digest();
    return mark === undefined ? shortCursors(sign) : markedCursors(sign, mark);
  }) as [Cursors, ...Cursors[]];
  if (earlier.length === 0) return first;
  return {
    sign: first.sign,
    open: (cursor) =>
      first.open(cursor) ?? earlier.map(({ open }) => open(cursor)).find((content) => content !== undefined),
  };
}

/** When a cursor ends that is to last so long: by full hours, so that the same page keeps its bytes, and its ETag, for as long. */
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

/** Other spellings of the same bytes are refused: a cursor is opaque and compared as text. */
function decoded(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}
