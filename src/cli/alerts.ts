import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { AlertsService } from "../../gen/es/ids/alerts/v1/alerts_pb.ts";
import type { Delivery } from "../../gen/es/ids/alerts/v1/delivery_pb.ts";
import { readClientConfig } from "../config/config.ts";
import { eventTypes, exampleEvent } from "../contract/event-types.ts";
import { newSecret, signatureHeaders } from "../delivery/signature.ts";
import { ConfigurationError } from "../errors.ts";
import { printable } from "../reference/printable.ts";
import { type Terminal, WrongCommandLine } from "./terminal.ts";

/** Interval of polling. It leaves room in the smallest plan, which allows 30 requests per minute. */
const pollMs = 3_000;
const timeoutMs = 10_000;
/** Maximum attempts to delete the endpoint. With the pauses, they take a minute. */
const maxDropAttempts = 20;

export interface ListenOptions {
  readonly endpoint?: string;
  readonly forward?: string;
  readonly secret?: string;
  readonly count?: number;
}

/** Prints new alerts until the user stops it. At the end, it deletes the endpoint that it created. */
export async function listen(terminal: Terminal, options: ListenOptions): Promise<void> {
  const client = alertsClient(terminal);
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const own = options.endpoint === undefined ? await makeFeed(client) : undefined;
  try {
    const endpointId = own ?? options.endpoint ?? "";
    await follow(terminal, client, { ...options, endpointId, signal: stopping.signal });
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    if (own !== undefined) await drop(terminal, client, own);
  }
}

function alertsClient({ environment }: Terminal): Client<typeof AlertsService> {
  const { url, apiKey, port, operatorKey } = readClientConfig(environment);
  const key = apiKey ?? operatorKey;
  const transport = createConnectTransport({
    baseUrl: url ?? `http://127.0.0.1:${port}`,
    httpVersion: "1.1",
    useHttpGet: true,
    defaultTimeoutMs: timeoutMs,
    interceptors: [
      (next) => (request) => {
        if (key !== undefined) request.header.set("X-Service-Key", key);
        return next(request);
      },
    ],
  });
  return createClient(AlertsService, transport);
}

async function makeFeed(client: Client<typeof AlertsService>): Promise<string> {
  const { endpoint } = await client.createEndpoint({ name: "ids listen", kind: "feed" });
  return endpoint?.id ?? "";
}

/** Deletes the endpoint. If the service does not respond, for example while it restarts, it tries again. */
async function drop({ err }: Terminal, client: Client<typeof AlertsService>, endpointId: string): Promise<void> {
  for (let attempts = 0; ; attempts += 1) {
    try {
      await client.deleteEndpoint({ endpointId });
      return;
    } catch (error) {
      if (ConnectError.from(error).code === Code.NotFound) return;
      if (!isUnreached(error) || attempts === maxDropAttempts) {
        err.write(`The endpoint ${endpointId} still exists: delete it with \`ids call delete-endpoint\`\n`);
        throw error;
      }
      await wait(pollMs);
    }
  }
}

/** Returns whether the service does not respond, for example while it restarts. */
function isUnreached(error: unknown): boolean {
  return [Code.Unavailable, Code.Aborted, Code.DeadlineExceeded].includes(ConnectError.from(error).code);
}

/** Returns a function that reads deliveries; it returns undefined while the service does not respond. */
function deliveryReader({ err }: Terminal, client: Client<typeof AlertsService>, endpointId: string) {
  let isAway = false;
  return async (): Promise<readonly Delivery[] | undefined> => {
    try {
      const { deliveries } = await client.listDeliveries({ endpointId });
      if (isAway) err.write("The service responds again.\n");
      isAway = false;
      return deliveries;
    } catch (error) {
      if (!isUnreached(error)) throw error;
      if (!isAway) err.write("The service does not respond. Waiting …\n");
      isAway = true;
      return undefined;
    }
  };
}

async function follow(
  terminal: Terminal,
  client: Client<typeof AlertsService>,
  { endpointId, endpoint, forward, secret, count = Number.POSITIVE_INFINITY, signal }: Following,
): Promise<void> {
  const { out, err } = terminal;
  const read = deliveryReader(terminal, client, endpointId);
  const send = forward === undefined ? undefined : forwarder({ url: forward, secret }, err);
  err.write(`Listening on ${endpointId}: rules without their own endpoints report here. Press Ctrl-C to stop.\n`);
  // If the command created the endpoint, all of its deliveries are new. Otherwise older ones are skipped.
  const before = endpoint === undefined ? [] : (await client.listDeliveries({ endpointId })).deliveries;
  const seen = new Set(before.map(({ id }) => id));
  let printed = 0;
  while (!signal.aborted && printed < count) {
    await wait(pollMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    for (const delivery of (await read())?.toReversed() ?? []) {
      if (seen.has(delivery.id)) continue;
      seen.add(delivery.id);
      printed += 1;
      out.write(`${printable(delivery.body)}\n`);
      await send?.(delivery);
    }
  }
}

interface Following extends ListenOptions {
  readonly endpointId: string;
  readonly signal: AbortSignal;
}

export interface TriggerOptions {
  readonly to: string;
  readonly secret?: string;
}

/** Sends a signed example of an event to a URL. */
export async function trigger(
  { out, err }: Terminal,
  type: string,
  { to: url, secret }: TriggerOptions,
): Promise<void> {
  const found = eventTypes.find(({ name }) => name === type);
  if (!found)
    throw new WrongCommandLine(
      `${type} isn't an event type. Use one of: ${eventTypes.map(({ name }) => name).join(", ")}`,
    );
  const body = JSON.stringify(exampleEvent(found));
  const id = `whd_${randomBytes(16).toString("hex")}`;
  const status = await forwarder({ url, secret }, err)({ id, body });
  out.write(`${id} ${status}\n`);
  if (!/^2\d\d$/.test(status)) throw new ConfigurationError(`${url} rejected the event: ${status}`);
}

/** Returns a function that sends deliveries to a URL. Unlike the service, it may call addresses of this machine. */
function forwarder(
  { url, secret: given }: { readonly url: string; readonly secret?: string | undefined },
  err: Terminal["err"],
) {
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new WrongCommandLine("The URL must be an http(s) URL");
  const secret = given ?? newSecret(randomBytes);
  if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(secret)) throw new WrongCommandLine("The secret must be whsec_ and base64");
  if (given === undefined) err.write(`Signing with ${secret}\n`);
  return async ({ id, body }: Pick<Delivery, "id" | "body">): Promise<string> => {
    const headers = { "content-type": "application/json", ...signatureHeaders({ id, at: new Date(), body }, [secret]) };
    const sent = fetch(url, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const result = await sent.then(
      async (response) => {
        await response.body?.cancel();
        return String(response.status);
      },
      (error: unknown) => `not reached: ${error instanceof Error ? (error.cause ?? error.message) : error}`,
    );
    err.write(`${id} to ${url}: ${printable(result)}\n`);
    return result;
  };
}
