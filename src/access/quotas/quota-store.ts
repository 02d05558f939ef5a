import type { Redis } from "ioredis";
import type { RateLimiterStoreAbstract } from "rate-limiter-flexible";
import { type ConnectionSettings, endWithin, openPool } from "../../store/pool.ts";
import { memoryQuotas } from "./memory-quotas.ts";
import type { QuotaRule } from "./quota-rules.ts";
import { isOfDay, type Quotas } from "./quotas.ts";
import { type CounterStore, closedPatienceMs, sharedQuotas } from "./shared-quotas.ts";

/** Counters and what they hold open. */
export interface OpenQuotas extends Quotas {
  readonly close: () => Promise<void>;
}

export interface QuotaStoreOptions {
  readonly redisUrl: string | undefined;
  readonly database: ConnectionSettings;
  readonly log: (message: string) => void;
}

/** Loads only what is used. Counts in Redis where there is one, else in Postgres, else in this process, which then has its database to itself. */
export async function openQuotas({ redisUrl, database, log }: QuotaStoreOptions): Promise<OpenQuotas> {
  if (redisUrl !== undefined) return redisQuotas(redisUrl, log);
  if (database.kind === "postgres") return postgresQuotas(database, log);
  return { ...memoryQuotas(), close: async () => {} };
}

const maxPauseMs = 1_000;

async function redisQuotas(url: string, log: QuotaStoreOptions["log"]): Promise<OpenQuotas> {
  const { Redis } = await import("ioredis");
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: closedPatienceMs,
    commandTimeout: closedPatienceMs,
    // What cannot be counted now is not to be counted later.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, maxPauseMs),
  });
  // Each failed attempt; what it means is told where a request cannot be counted.
  client.on("error", () => {});
  // Without it the service starts all the same.
  await client.connect().catch((error: unknown) => log(`REDIS_URL: no connection yet: ${error}`));
  const store = await redisCounters(client);
  return closing(sharedQuotas(store, log), async () => client.disconnect());
}

const prefix = "ids:quota";
/** Subtracts where the counter ends before a moment. */
const subtract = `
  local left = redis.call("pttl", KEYS[1])
  if left > 0 and left < tonumber(ARGV[2]) then return redis.call("decrby", KEYS[1], ARGV[1]) end`;

/** Counters in Redis. */
export async function redisCounters(client: Redis): Promise<CounterStore> {
  const { RateLimiterRedis } = await import("rate-limiter-flexible");
  const limiter = (duration: number) =>
    new RateLimiterRedis({ storeClient: client, rejectIfRedisNotReady: true, keyPrefix: prefix, points, duration });
  return storeOf(limiter, (key, points, endsWithin) =>
    client.eval(subtract, 1, `${prefix}:${key}`, points, Math.round(endsWithin)),
  );
}

/** Few: a counter needs one at a time, and what reads the data is not to wait behind them. */
const connections = 4;
const sweepEveryMs = 300_000;

async function postgresQuotas(database: ConnectionSettings, log: QuotaStoreOptions["log"]): Promise<OpenQuotas> {
  const pool = openPool(database, { name: "quotas", log, max: connections, answerWithinMs: closedPatienceMs });
  const sweep = async () => {
    await pool.query("delete from quota where expire < $1", [Date.now()]);
  };
  // One sweep that fails is made good by the next.
  const sweeping = setInterval(() => void sweep().catch(() => {}), sweepEveryMs).unref();
  const store = await postgresCounters(pool);
  return closing(sharedQuotas(store, log), async () => {
    clearInterval(sweeping);
    await endWithin(pool);
  });
}

/** What runs a statement. */
interface Queried {
  readonly query: (text: string, values: unknown[]) => Promise<unknown>;
}

/** Counters in the store's own table. */
export async function postgresCounters(pool: Queried): Promise<CounterStore> {
  const { RateLimiterPostgres } = await import("rate-limiter-flexible");
  const limiter = (duration: number) =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: "pool",
      tableName: "quota",
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: "",
      points,
      duration,
    });
  return storeOf(limiter, (key, points, endsWithin) =>
    pool.query("update quota set points = points - $1 where key = $2 and expire < $3", [
      points,
      key,
      Math.round(Date.now() + endsWithin),
    ]),
  );
}

/** The quotas, whose store is closed after them: they give back what they hold of it first. */
function closing(quotas: OpenQuotas, closeStore: () => Promise<void>): OpenQuotas {
  return {
    ...quotas,
    async close() {
      await quotas.close();
      await closeStore();
    },
  };
}

/** Not looked at: the limits are the rules' own, the limiters only count. */
const points = 1;
const minuteSeconds = 60;
/** A day's counter is named for its date: it only has to outlast it in every clock. */
const dayTtlSeconds = 2 * 86_400;

/** Takes points from a counter, unless it ends in so many milliseconds or later. */
type Subtract = (key: string, points: number, endsWithin: number) => Promise<unknown>;

function storeOf(limiter: (seconds: number) => RateLimiterStoreAbstract, subtract: Subtract): CounterStore {
  const minutes = limiter(minuteSeconds);
  const days = limiter(dayTtlSeconds);
  const counterOf = (rule: QuotaRule) => (isOfDay(rule) ? days : minutes);
  return {
    async add(rule, key, points) {
      const { consumedPoints, msBeforeNext } = await counterOf(rule).penalty(key, points);
      return { used: consumedPoints, msLeft: msBeforeNext };
    },
    // However late it arrives, it finds its own window or none: the next one ends a minute later.
    giveBack: (_rule, key, points, msLeft) => subtract(key, points, msLeft + (minuteSeconds * 1_000) / 2),
    async read(rule, key) {
      const found = await counterOf(rule).get(key);
      return found === null ? undefined : { used: found.consumedPoints, msLeft: found.msBeforeNext };
    },
  };
}
