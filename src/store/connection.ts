import { setTimeout as delay } from "node:timers/promises";
import { Client, type ClientConfig } from "pg";
import { Unavailable } from "../errors.ts";
import { type Hosts, hostsOf, meansPrimary } from "./host-list.ts";
import { type Host, type HostStatus, hostStatusOf, leaderOf } from "./host-status.ts";

/** A host that answers and is what is wanted; all are asked at once, as one whose cable is pulled keeps silent. */
async function seekHost({ wanted, addresses }: Hosts, config: ClientConfig): Promise<Host> {
  const requested = addresses.map((address) => sendRequest({ ...config, connectionString: address }));
  const first = async (isStandby?: boolean) => {
    const { at } = await Promise.any(requested.map((response) => response.then((given) => only(given, isStandby))));
    return at;
  };
  try {
    if (wanted === "any") return await first();
    if (wanted === "prefer-standby") return await first(true).catch(() => first());
    return meansPrimary(wanted) ? await newestPrimary(requested) : await first(true);
  } catch (error) {
    const reasons = error instanceof AggregateError ? error.errors.map((each) => `${each.message}`).join("; ") : error;
    throw new Unavailable(`No host of the database fits target_session_attrs=${wanted}: ${reasons}`, {
      cause: error,
      retryAfterSeconds: 5,
    });
  }
}

/** Throws where the server is not of the kind that is asked for. */
function only(response: HostStatus, isStandby = response.isStandby): HostStatus {
  if (response.isStandby !== isStandby) throw new Unavailable(response.isStandby ? "a standby" : "the primary");
  return response;
}

/** For how long the first primary that answers waits for another: one that was left behind may answer as well. */
const graceMs = 150;

async function newestPrimary(requested: readonly Promise<HostStatus>[]): Promise<Host> {
  const primaries: HostStatus[] = [];
  const responses = requested.map(async (response) => primaries.push(only(await response, false)));
  await Promise.any(responses);
  await Promise.race([Promise.allSettled(responses), delay(graceMs, undefined, { ref: false })]);
  const [first] = primaries;
  if (!first) throw new Unavailable("no primary");
  return (leaderOf(primaries) ?? first).at;
}

const responseTimeoutMs = 4_000;

async function sendRequest(config: ClientConfig): Promise<HostStatus> {
  const client = new Client({
    ...config,
    connectionTimeoutMillis: responseTimeoutMs,
    query_timeout: responseTimeoutMs,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return await hostStatusOf(client);
  } finally {
    void client.end().catch(() => {});
  }
}

/** How the driver says that a statement's answer did not come in time. */
const lateMessage = "Query read timeout";

type Responded = (error: Error | null, result: unknown) => void;
type Call = (query: unknown, values: unknown, responded?: Responded) => unknown;

/**
 * A connection whose promises are made here: those of the driver lead from each query to the next, so that one answer which
 * got old keeps all later ones from being collected cheaply. Collecting a young generation took 20 ms instead of 0.5.
 */
export class Connection extends Client {
  readonly #config: ClientConfig;
  readonly #hosts: Hosts | undefined;

  constructor(config: ClientConfig = {}) {
    const hosts = hostsOf(config.connectionString ?? "");
    const [address] = hosts?.addresses ?? [];
    super(address === undefined ? config : { ...config, connectionString: address });
    this.#config = config;
    this.#hosts = hosts;
  }

  /** Of several hosts one is sought for each connection: after a failover the next ones lead to the new primary. */
  override connect(connected?: unknown): never {
    const hosts = this.#hosts;
    const open = async () => {
      if (hosts && (hosts.addresses.length > 1 || hosts.wanted !== "any"))
        Object.assign(this, await seekHost(hosts, this.#config));
      await super.connect();
    };
    // The pool asks with a function of its own.
    if (typeof connected !== "function") return open() as never;
    open().then(
      () => connected(undefined),
      (error) => connected(error),
    );
    return undefined as never;
  }

  override query(query: unknown, values?: unknown, responded?: unknown): never {
    const sendRequest = super.query as unknown as Call;
    // The pool asks with a function of its own.
    if (typeof values === "function") return sendRequest.call(this, query, this.#watched(values as Responded)) as never;
    if (typeof responded === "function")
      return sendRequest.call(this, query, values, this.#watched(responded as Responded)) as never;
    return new Promise((resolve, reject) => {
      const settle: Responded = (error, result) => {
        if (error) reject(error);
        else resolve(result);
      };
      sendRequest.call(this, query, values, this.#watched(settle));
    }) as never;
  }

  /** A connection whose answer did not come in time still waits for it: it is cut before that is told, so that nobody is given it. */
  #watched(responded: Responded): Responded {
    return (error, result) => {
      const { stream } = this.connection;
      if (error?.message !== lateMessage || stream.closed) return responded(error, result);
      stream.once("close", () => responded(error, result));
      stream.destroy();
    };
  }
}
