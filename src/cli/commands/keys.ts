import { randomBytes } from "node:crypto";
import type { JsonValue } from "@bufbuild/protobuf";
import {
  CreateApiKeyResponseSchema,
  ListApiKeysResponseSchema,
  RevokeApiKeyResponseSchema,
  RotateApiKeyResponseSchema,
} from "../../../gen/es/ids/account/v1/account_pb.ts";
import { makeOperatorKey } from "../../access/keys/operator-keys.ts";
import { plainMaker } from "../../contract/plain.ts";
import type { Database } from "../../store/database.ts";
import { accountClient, instant, keyCells, keyHeadings, minuteText } from "../client/account-client.ts";
import { withStore } from "../store.ts";
import { table } from "../table.ts";
import type { Terminal } from "../terminal.ts";

export interface Output {
  readonly json?: boolean;
}

/** Creates a key and shows it once. Standard output contains only the key. */
export async function createKey(
  terminal: Terminal,
  options: Output & { name: string; account?: string; scope?: string[]; expires?: string; operator?: boolean },
): Promise<void> {
  if (options.operator) return createOperatorKey(terminal, options);
  const { at } = instant("--expires", options.expires);
  const { name, account = "", scope: scopes = [] } = options;
  const made = await accountClient(terminal).createApiKey({
    name,
    account,
    scopes,
    ...(at === undefined ? {} : { expiresAt: at }),
  });
  if (options.json) return print(terminal, plainMaker(CreateApiKeyResponseSchema)(made));
  terminal.out.write(`${made.secret}\n`);
  terminal.err.write(`Created ${made.key?.id} for ${made.key?.account}. The key is shown only once.\n`);
}

/** Creates an operator key directly in the store, which requires no key. */
async function createOperatorKey(terminal: Terminal, { name, json }: Output & { name: string }): Promise<void> {
  const make = (database: Database) => makeOperatorKey(database.kysely, { name, randomBytes }, new Date());
  const secret = await withStore(terminal, "keys", make);
  if (json) return print(terminal, { secret });
  terminal.out.write(`${secret}\n`);
  terminal.err.write("Created an operator key. It is shown only once.\n");
}

/** Lists the keys of an account, active ones first. */
export async function listKeys(terminal: Terminal, options: Output & { account?: string }): Promise<void> {
  const listed = await accountClient(terminal).listApiKeys({ account: options.account ?? "" });
  if (options.json) return print(terminal, plainMaker(ListApiKeysResponseSchema)(listed));
  terminal.out.write(table(terminal.out, keyHeadings, listed.keys.map(keyCells)));
}

export async function rotateKey(
  terminal: Terminal,
  keyId: string,
  options: Output & { overlap: number },
): Promise<void> {
  const made = await accountClient(terminal).rotateApiKey({ keyId, overlapSeconds: options.overlap });
  if (options.json) return print(terminal, plainMaker(RotateApiKeyResponseSchema)(made));
  terminal.out.write(`${made.secret}\n`);
  terminal.err.write(`Created ${made.key?.id}. ${keyId} stays valid until ${minuteText(made.replaced?.expiresAt)}.\n`);
}

export async function revokeKey(terminal: Terminal, keyId: string, options: Output): Promise<void> {
  const revoked = await accountClient(terminal).revokeApiKey({ keyId });
  if (options.json) return print(terminal, plainMaker(RevokeApiKeyResponseSchema)(revoked));
  terminal.out.write(`Revoked ${keyId}.\n`);
}

export function print(terminal: Terminal, value: JsonValue): void {
  terminal.out.write(`${JSON.stringify(value, null, 2)}\n`);
}
