import { z } from "zod";
import type { Encryption } from "../../access/encryption.ts";
import { SecretUnreadable } from "../../errors.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Viewer } from "../viewer.ts";
import { cookieHeader, cookieIn } from "./session-cookie.ts";

const doneSchema = z.object({ text: z.string(), secret: z.string().optional() });

/** The result of a form. The page after the redirect shows it once. A new secret is not shown elsewhere. */
export type Done = Readonly<z.infer<typeof doneSchema>>;

export interface Deduplicated {
  readonly retain: (exchange: Exchange, viewer: Viewer, path: string, done: Done) => readonly string[];
  /** Returns the result for this session and page; undefined if none exists or it has expired. */
  readonly read: (exchange: Exchange, viewer: Viewer, path: string) => Done | undefined;
  readonly forget: (exchange: Exchange) => readonly string[];
}

const name = "ids_done";
/** Lifetime of the cookie in seconds. Browsers follow a redirect immediately, but a network may be slow. */
export const cachedSeconds = 60;
const storedSchema = doneSchema.extend({ session: z.string(), path: z.string(), until: z.number() });

/** Stores a form's result in an encrypted cookie, so that any process can read it and no database has the secret. */
export function createDeduplicated({ seal, open }: Encryption): Deduplicated {
  const opened = (value: string) => {
    try {
      return storedSchema.parse(JSON.parse(open(Buffer.from(value, "base64url"))));
    } catch (error) {
      // The cookie was encrypted with another key, or another program set it.
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    }
  };
  return {
    retain(exchange, { formToken = "" }, path, done) {
      const stored = { ...done, session: formToken, path, until: exchange.now + cachedSeconds * 1_000 };
      const value = seal(JSON.stringify(stored)).toString("base64url");
      return cookieHeader(exchange, { name, value, seconds: cachedSeconds });
    },
    read(exchange, { formToken }, path) {
      const value = cookieIn(exchange, name);
      const stored = value === undefined ? undefined : opened(value);
      const isOwn = stored?.session === formToken && stored?.path === path && stored.until > exchange.now;
      return isOwn ? stored : undefined;
    },
    forget: (exchange) => cookieHeader(exchange, { name, value: "", seconds: 0 }),
  };
}
