import type { Writable } from "node:stream";
import type { Config } from "../config/config.ts";

/** What a command works with. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly config: () => Config;
  readonly out: Writable & { readonly isTTY?: boolean };
  readonly err: Writable;
}
