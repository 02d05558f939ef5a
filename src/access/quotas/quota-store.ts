import type { Redis } from "ioredis";
import type { RateLimiterStoreAbstract } from "rate-limiter-flexible";
import { type ConnectionSettings, endWithin, openPool } from "../../store/pool.ts";
import { memoryQuotas } from "./memory-quotas.ts";
import { postgresCounters, sweepEnded } from "./postgres-counters.ts";
import type { QuotaRule } from "./quota-rules.ts";
import type { Quotas } from "./quotas.ts";
import {
  type CounterStore,
  closedPatienceMs,
  counterSeconds,
  givenBackWithinMs,
  sharedQuotas,
} from "./shared-quotas.ts";

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
  // The points are not looked at: the limits are the rules' own, the limiters only count.
  const own = { storeClient: client, rejectIfRedisNotReady: true, keyPrefix: prefix, points: 1 };
  const limiters = new Map<number, RateLimiterStoreAbstract>();
  const counterOf = (rule: QuotaRule) => {
    const duration = counterSeconds(rule);
    const limiter = limiters.get(duration) ?? new RateLimiterRedis({ ...own, duration });
    limiters.set(duration, limiter);
    return limiter;
  };
  return {
    async add(rule, key, points) {
      const { consumedPoints, msBeforeNext } = await counterOf(rule).penalty(key, points);
      return { used: consumedPoints, msLeft: msBeforeNext };
    },
    giveBack: (_rule, key, points, msLeft) =>
      client.eval(subtract, 1, `${prefix}:${key}`, points, Math.round(givenBackWithinMs(msLeft))),
    async read(rule, key) {
      const found = await counterOf(rule).get(key);
      return found === null ? undefined : { used: found.consumedPoints, msLeft: found.msBeforeNext };
    },
  };
}

/** Few: a counter needs one at a time, and what reads the data is not to wait behind them. */
const connections = 4;
const sweepEveryMs = 300_000;

async function postgresQuotas(database: ConnectionSettings, log: QuotaStoreOptions["log"]): Promise<OpenQuotas> {
  const pool = openPool(database, { name: "quotas", log, max: connections, answerWithinMs: closedPatienceMs });
  const sweep = async () => {
    await pool.query(sweepEnded);
  };
  // One sweep that fails is made good by the next.
  const sweeping = setInterval(() => void sweep().catch(() => {}), sweepEveryMs).unref();
  const store = postgresCounters(pool);
  return closing(sharedQuotas(store, log), async () => {
    clearInterval(sweeping);
    await endWithin(pool);
  });
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
