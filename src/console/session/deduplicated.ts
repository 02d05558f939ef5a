import { z } from "zod";
import type { Encryption } from "../../access/encryption.ts";
import { SecretUnreadable } from "../../errors.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Viewer } from "../viewer.ts";
import { cookieHeader, cookieIn } from "./session-cookie.ts";

const doneSchema = z.object({ text: z.string(), secret: z.string().optional() });

/** What a form has done, told once on the page that it leads back to; a secret is shown there and nowhere else. */
export type Done = Readonly<z.infer<typeof doneSchema>>;

export interface Deduplicated {
  /** The header that keeps it, a flat pair. */
  readonly retain: (exchange: Exchange, viewer: Viewer, path: string, done: Done) => readonly string[];
  /** What was kept for this session and page; undefined where nothing was, or too long ago. */
  readonly read: (exchange: Exchange, viewer: Viewer, path: string) => Done | undefined;
  /** The header that forgets it, a flat pair. */
  readonly forget: (exchange: Exchange, path: string) => readonly string[];
}

const name = "ids_done";
/** A browser follows at once; a slow network may take a while. */
export const cachedSeconds = 60;
const storedSchema = doneSchema.extend({ session: z.string(), path: z.string(), until: z.number() });

/** Keeps it in the browser, sealed for one session and page: any replica can tell it, and no store holds the secret. */
export function createDeduplicated({ seal, open }: Encryption): Deduplicated {
  const opened = (value: string) => {
    try {
      return storedSchema.parse(JSON.parse(open(Buffer.from(value, "base64url"))));
    } catch (error) {
      // Of another secret key, or nothing of ours.
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    }
  };
  return {
    retain(exchange, { formToken = "" }, path, done) {
      const stored = { ...done, session: formToken, path, until: exchange.now + cachedSeconds * 1_000 };
      const value = seal(JSON.stringify(stored)).toString("base64url");
      return cookieHeader(exchange, { name, value, path, seconds: cachedSeconds });
    },
    read(exchange, { formToken }, path) {
      const value = cookieIn(exchange, name);
      const stored = value === undefined ? undefined : opened(value);
      const isOwn = stored?.session === formToken && stored?.path === path && stored.until > exchange.now;
      return isOwn ? stored : undefined;
    },
    forget: (exchange, path) => cookieHeader(exchange, { name, value: "", path, seconds: 0 }),
  };
}
