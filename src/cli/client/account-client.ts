import { existsSync } from "node:fs";
import type { DescService } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { AccountService, type ApiKey } from "../../../gen/es/ids/account/v1/account_pb.ts";
import { operatorKeyFile } from "../../access/keys/operator-keys.ts";
import { readClientConfig } from "../../config/config.ts";
import { ConfigurationError } from "../../errors.ts";
import type { Terminal } from "../terminal.ts";

export function accountClient(terminal: Terminal): Client<typeof AccountService> {
  return serviceClient(terminal, AccountService);
}

/** Creates a client of the API at IDS_URL with IDS_API_KEY. Errors name the setting to correct. */
export function serviceClient<S extends DescService>({ environment }: Terminal, service: S): Client<S> {
  const { url, apiKey, port, directory, operatorKey } = readClientConfig(environment);
  const key = apiKey ?? operatorKey;
  if (!key)
    throw new ConfigurationError(
      `IDS_API_KEY must be set to a key of the account (or of the operator)${hint(directory)}`,
    );
  const transport = createConnectTransport({
    baseUrl: url ?? `http://127.0.0.1:${port}`,
    httpVersion: "1.1",
    useHttpGet: true,
    defaultTimeoutMs: 30_000,
    interceptors: [
      (next) => (request) => {
        request.header.set("X-Service-Key", key);
        return next(request);
      },
    ],
  });
  return createClient(service, transport);
}

/** Returns where the operator's first key is stored, if this machine created it. */
function hint(directory: string): string {
  const file = operatorKeyFile(directory);
  return existsSync(file) ? `. The operator key is in ${file}: export IDS_API_KEY="$(cat ${file})"` : "";
}

export const keyHeadings = ["id", "account", "name", "prefix", "scopes", "created", "last used", "expires", "revoked"];

export function keyCells(key: ApiKey): string[] {
  return [
    ...[key.id, key.account, key.name, key.prefix, key.scopes.join(" ")],
    ...[key.createdAt, key.lastUsedAt, key.expiresAt, key.revokedAt].map(minuteText),
  ];
}

/** Formats Unix epoch milliseconds as UTC to the minute. Absent becomes empty. */
export function minuteText(at: bigint | undefined): string {
  return at === undefined ? "" : `${new Date(Number(at)).toISOString().slice(0, 16)}Z`;
}

/** Parses a day or a timestamp of the command line as Unix epoch milliseconds. */
export function instant(option: string, text: string | undefined): { readonly at?: bigint } {
  if (text === undefined) return {};
  const at = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(text) && isDay(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new ConfigurationError(`${option} must be a date (2027-01-31) or a date-time with a time zone`);
  return { at: BigInt(at) };
}

/** Returns whether the month has this day. `Date.parse` would continue into the next month. */
function isDay(text: string): boolean {
  const day = text.slice(0, 10);
  const at = Date.parse(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}
