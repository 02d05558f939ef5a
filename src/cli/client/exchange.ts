import { existsSync } from "node:fs";
import { Code, ConnectError } from "@connectrpc/connect";
import { z } from "zod";
import { operatorKeyFile } from "../../access/keys/operator-keys.ts";
import { readClientConfig } from "../../config/config.ts";
import type { Operation } from "../../contract/catalog.ts";
import { isObject, type JsonObject } from "../../contract/request/body.ts";
import { ConfigurationError } from "../../errors.ts";
import type { Terminal } from "../terminal.ts";
import { flagOf, type RequestAddress } from "./request-options.ts";

/** A request to the running service. */
export interface ApiRequest extends RequestAddress {
  readonly verb: Operation["verb"];
  readonly body?: JsonObject;
  /** API key to send instead of the configured one. */
  readonly key: string | undefined;
  /** Returns where the user gave a member that the service rejected. By default, the option with its name. */
  readonly placeOf?: (member: string) => string;
}

/** Timeout for the head of the response. Its body may take longer. */
const responseTimeoutMs = 30_000;

/** Sends a request to the service. If the service rejects it, the error names options of the command line. */
export async function send({ environment }: Terminal, request: ApiRequest): Promise<Response> {
  const { verb, path, query, body, key, placeOf = flagOf } = request;
  const { url, apiKey, port, directory, operatorKey } = readClientConfig(environment);
  const presented = key ?? apiKey ?? operatorKey;
  const search = query.size === 0 ? "" : `?${query}`;
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), responseTimeoutMs);
  try {
    const response = await fetch(`${url ?? `http://127.0.0.1:${port}`}${path}${search}`, {
      method: verb,
      headers: {
        ...(presented !== undefined && { "X-Service-Key": presented }),
        ...(body && { "Content-Type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      // A redirect is not followed, because it would send the key to another server.
      redirect: "error",
      signal: waiting.signal,
    });
    if (response.ok) return response;
    const text = await startOf(response).catch(() => "");
    const reason = `${reasonIn(text, placeOf) ?? "The request was rejected"} (${response.status})`;
    if (response.status === 401 && presented === undefined)
      throw new ConfigurationError(
        `${reason}: IDS_API_KEY must be set to a key of the account (or of the operator)${keyHint(directory)}`,
      );
    throw new ConnectError(reason, codes.get(response.status) ?? Code.Unknown);
  } catch (error) {
    if (error instanceof ConnectError || error instanceof ConfigurationError) throw error;
    if (waiting.signal.aborted)
      throw new ConnectError(`No response within ${responseTimeoutMs / 1_000} s`, Code.DeadlineExceeded);
    throw ConnectError.from(error instanceof Error ? (error.cause ?? error) : error);
  } finally {
    clearTimeout(timer);
  }
}

const maxFailureLetters = 65_536;

/** Returns the start of an error response. It may come from another server, whose body may have any size. */
async function startOf({ body }: Response): Promise<string> {
  let text = "";
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.length > maxFailureLetters) break;
  }
  return text;
}

/** Sends a request to the service and returns the response as a JSON object. */
export async function sendForJson(terminal: Terminal, request: ApiRequest): Promise<JsonObject> {
  const response = await send(terminal, request);
  const value = parsed(await response.text());
  if (isObject(value)) return value;
  throw new Error("The response is not a JSON object: check IDS_URL");
}

/** Returns a hint to the file with the first operator key, if a service on this machine created it. */
function keyHint(directory: string): string {
  const file = operatorKeyFile(directory);
  return existsSync(file) ? `. The operator key is in ${file}: export IDS_API_KEY="$(cat ${file})"` : "";
}

const codes = new Map([
  [401, Code.Unauthenticated],
  [403, Code.PermissionDenied],
]);

const reported = z.object({
  violations: z.array(z.object({ field: z.string(), description: z.string() })).optional(),
  message: z.string().optional(),
  error: z.union([z.string(), z.object({ message: z.string() })]).optional(),
  _jmespath_error: z.string().optional(),
});

function reasonIn(text: string, placeOf: (member: string) => string): string | undefined {
  const { success, data } = reported.safeParse(parsed(text));
  if (!success) return undefined;
  const { violations, message, error, _jmespath_error: projection } = data;
  if (violations) return violations.map(({ field, description }) => `${placeOf(field)}: ${description}`).join("; ");
  if (projection !== undefined) return `${placeOf("jmespath")}: ${projection}`;
  return message ?? (typeof error === "object" ? error.message : error);
}

/** Parses JSON. Returns null for any other text. */
function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
