import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import { makeOperatorKey } from "../access/keys/operator-keys.ts";
import { call } from "./client/operation-commands.ts";
import { withStore } from "./store.ts";
import type { Terminal } from "./terminal.ts";

export interface KeyOptions {
  readonly name: string;
  readonly account?: string;
  readonly scope?: readonly string[];
  readonly readOnly?: boolean;
  readonly expiresAt?: string;
  readonly operator?: boolean;
}

/** Prints a new API key and no other text. An operator key is created in the store, any other by the service. */
export async function createKey(terminal: Terminal, ids: Command, options: KeyOptions): Promise<void> {
  const { name, account, scope = [], readOnly, expiresAt, operator } = options;
  if (operator) return createOperatorKey(terminal, name);
  await call(terminal, ids, [
    "create-api-key",
    `--name=${name}`,
    ...(account === undefined ? [] : [`--account=${account}`]),
    ...scope.map((each) => `--scopes=${each}`),
    ...(readOnly ? ["--read-only"] : []),
    ...(expiresAt === undefined ? [] : [`--expires-at=${expiresAt}`]),
    "--only=secret",
  ]);
  terminal.err.write("Created a key. It is shown only once.\n");
}

/** Creates an operator key directly in the store, for which the user needs no other key. */
async function createOperatorKey(terminal: Terminal, name: string): Promise<void> {
  const secret = await withStore(terminal, "keys", ({ kysely }) =>
    makeOperatorKey(kysely, { name, randomBytes }, new Date()),
  );
  terminal.out.write(`${secret}\n`);
  terminal.err.write("Created an operator key. It is shown only once.\n");
}
