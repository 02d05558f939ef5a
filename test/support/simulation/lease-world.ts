import { postgresCounters } from "../../../src/access/quotas/postgres-quotas.ts";
import type { QuotaRule } from "../../../src/access/quotas/quota-rules.ts";
import { type CounterStore, SharedQuotas } from "../../../src/access/quotas/shared-quotas.ts";
import { QuotaExceeded, QuotasUnreadable } from "../../../src/errors.ts";
import { check } from "./properties.ts";
import type { Simulation } from "./seeds.ts";
import type { Sessions } from "./sessions.ts";
import type { Replica, World } from "./world.ts";

/** Makes counters wrong on purpose. */
export type Spoil = (store: CounterStore) => CounterStore;

const base = { layer: "per_minute", windowSeconds: 60, closed: false } as const;
/** Also charged many points at once, as a walk is. */
const held: QuotaRule = { ...base, name: "held", limit: 12_000, closed: true };
const rules: readonly QuotaRule[] = [
  held,
  { ...base, name: "small", limit: 40 },
  { ...base, name: "large", limit: 10_000 },
  { ...base, name: "daily", layer: "daily", limit: 15_000, windowSeconds: 86_400 },
];
const hourMs = 3_600_000;
/** Closer ends belong to one window, because each response reports a slightly earlier end than the true one. */
const apartMs = 30_000;
/** Points that are asked for together, at most. */
const maxConcurrent = 5_000;
/** A lease is never a larger part of what is left. */
const largestShare = 1 / 32;
/** To the last moments of a window nothing is given back. */
const lastMs = 5_000;

/** So long a process that ends gives back. */
const closeWithinMs = 2_000;
/** So long an answer of the store is waited for. */
const timeoutMs = (rule: QuotaRule) => (rule.closed ? 5_000 : 1_000);
/** No request passes it, and points of earlier rules are returned. */
const barrier: QuotaRule = { ...base, name: "barrier", limit: 0, closed: true };

interface Window {
  readonly rule: QuotaRule;
  readonly key: string;
  /** The latest end that a process received. */
  endsAt: number;
  admitted: number;
}

/** The last state of a window that a process received. */
interface Heard {
  readonly window: Window;
  /** Requests that had passed by then. */
  readonly before: number;
  /** Requests that passed here since. */
  since: number;
}

interface Process {
  readonly replica: Replica;
  readonly quotas: SharedQuotas;
  readonly heard: Map<QuotaRule, Heard>;
  /** Requests that are not answered yet. */
  readonly requesting: Set<Promise<void>>;
}

interface Ledger {
  readonly windows: Window[];
  /** Leases that went with a process, or with an answer that never came. */
  lost: number;
}

/** Processes take from quotas that they share, are killed and started; the clocks of some are wrong. */
export function leaseWorld(sessions: Sessions, spoil: Spoil = (store) => store): Simulation {
  return async (world) => {
    sessions.join(world);
    await sessions.observer.query("truncate quota");
    world.lossOf = world.pick([0, 0, 30, 200]);
    const ledger: Ledger = { windows: [], lost: 0 };
    const counters = (replica: Replica) => spoil(postgresCounters(sessions.of(world, replica)));
    const processes: Process[] = [];
    const isSkewed = world.chance(0.4);
    const start = async () => {
      const replica = world.replica(isSkewed ? world.pick([0, 30_000, -30_000, hourMs, -hourMs]) : 0);
      processes.push(processOf(world, replica, counters(replica), ledger));
    };
    for (let count = 2 + world.below(3); count > 0; count -= 1) await start();
    const leaving = () => processes.splice(world.below(processes.length), 1);
    const take = () => {
      const process = world.pick(processes);
      const rule = world.pick(rules);
      const count = 1 + world.below(world.pick([5, 50, 150]));
      const isBarred = world.chance(0.1);
      world.note(`${process.replica.name} asks ${count} times for ${rule.name}${isBarred ? " in vain" : ""}`);
      for (let left = count; left > 0; left -= 1) spawnTake(world, process, isBarred ? [rule, barrier] : [rule]);
    };
    const charge = () => spawnCharge(world, world.pick(processes), held, 1 + world.below(maxConcurrent));
    const kill = async () => {
      for (const { replica } of leaving()) await world.kill(replica);
      ledger.lost += 1;
      await start();
    };
    const end = async () => {
      for (const process of leaving()) spawnEnd(world, process, ledger);
      await start();
    };
    const wait = () => world.time.advance(world.pick([20, 300, 1_100, 4_000, 11_000, 61_000]));
    const mayKill = world.chance(0.5);
    await world.explore([...Array(5).fill(take), charge, charge, wait, wait, end, mayKill ? kill : wait], 30);
    await world.finish();
    for (const process of processes) spawnEnd(world, process, ledger);
    await world.finish();
    await nothingIsMissing(world, sessions, ledger);
  };
}

function processOf(world: World, replica: Replica, real: CounterStore, ledger: Ledger): Process {
  const heard: Process["heard"] = new Map();
  const store: CounterStore = {
    ...real,
    async add(rule, key, points) {
      const requested = world.time.now();
      const window = await real.add(rule, key, points).catch((error: unknown) => {
        ledger.lost += 1;
        throw error;
      });
      if (world.time.now() - requested >= timeoutMs(rule)) ledger.lost += 1;
      else hear(rule, key, Math.round(world.time.now() + window.msLeft));
      return window;
    },
    giveBack: (...given) =>
      real.giveBack(...given).catch((error: unknown) => {
        ledger.lost += 1;
        throw error;
      }),
  };
  const hear = (rule: QuotaRule, key: string, endsAt: number) => {
    const known = ledger.windows.find((each) => each.key === key && Math.abs(each.endsAt - endsAt) < apartMs);
    const window = known ?? { rule, key, endsAt, admitted: 0 };
    if (!known) ledger.windows.push(window);
    window.endsAt = Math.max(window.endsAt, endsAt);
    heard.set(rule, { window, before: window.admitted, since: 0 });
  };
  return { replica, quotas: new SharedQuotas(store, () => undefined), heard, requesting: new Set() };
}

/** Requests are answered first; what the store does not take soon is lost. */
function spawnEnd(world: World, { replica, quotas, requesting }: Process, ledger: Ledger): void {
  world.note(`${replica.name} ends`);
  world.spawn(replica, async () => {
    await Promise.all(requesting);
    const begun = world.time.now();
    await quotas.close();
    if (world.time.now() - begun >= closeWithinMs) ledger.lost += rules.length;
  });
}

/** Does what a request does; one that is refused is answered too. */
function spawnRequest(world: World, { replica, requesting }: Process, request: () => Promise<void>): void {
  world.spawn(replica, async () => {
    const responded = request().catch((error: unknown) => {
      if (!(error instanceof QuotaExceeded || error instanceof QuotasUnreadable)) throw error;
    });
    requesting.add(responded);
    await responded.finally(() => requesting.delete(responded));
  });
}

function spawnTake(world: World, process: Process, wanted: readonly QuotaRule[]): void {
  const { replica, quotas, heard } = process;
  spawnRequest(world, process, async () => {
    const allowance = await quotas.take(wanted, "one", world.clockOf(replica)().getTime());
    const [rule] = wanted;
    const known = rule && heard.get(rule);
    // Undefined: let pass uncounted, while the store cannot be asked.
    if (!rule || !known || !allowance || allowance.limit !== rule.limit) return;
    admit(world, replica, known);
    const left = rule.limit - known.before - known.since;
    check(
      "an allowance is not larger than what is left",
      allowance.remaining <= left,
      () => `${replica.name} reports ${allowance.remaining} left in ${rule.name}, not of ${left}`,
    );
  });
}

/** Many points at once, of which some are given back. */
function spawnCharge(world: World, process: Process, rule: QuotaRule, points: number): void {
  const { replica, quotas, heard } = process;
  world.note(`${replica.name} charges ${points} to ${rule.name}`);
  const isGivenBack = world.chance(0.3);
  spawnRequest(world, process, async () => {
    const refund = await quotas.charge([rule], "one", world.clockOf(replica)().getTime(), points);
    const known = heard.get(rule);
    if (!known) return;
    known.window.admitted += points - 1;
    admit(world, replica, known);
    if (!isGivenBack) return;
    known.window.admitted -= points;
    await refund();
  });
}

function admit(world: World, { name }: Replica, heard: Heard): void {
  const { window } = heard;
  heard.since += 1;
  window.admitted += 1;
  const { limit, name: rule } = window.rule;
  check(
    "all processes together admit no more than a limit",
    window.admitted <= limit,
    () => `${name} lets more than ${limit} through ${rule}`,
  );
  const isOpen = world.time.now() <= window.endsAt;
  check("a request is not counted in a window that is over", isOpen, () => `${name} counts in ${rule}`);
}

/** All unspent points were returned, except lost ones. */
async function nothingIsMissing(world: World, { observer }: Sessions, { windows, lost }: Ledger): Promise<void> {
  const { rows } = await observer.query<{ key: string; points: number; expire: string }>("select * from quota");
  for (const { rule, key, endsAt, admitted } of windows) {
    const row = rows.find((each) => each.key.endsWith(key) && Math.abs(Number(each.expire) - endsAt) < apartMs);
    if (!row || endsAt - world.time.now() < lastMs) continue;
    const missing = row.points - admitted;
    check("no request passes uncounted", missing >= 0, () => `${-missing} requests passed ${rule.name}`);
    check(
      "unspent points are returned, except those of lost leases",
      missing <= lost * (rule.limit * largestShare + maxConcurrent),
      () => `${missing} points of ${rule.name} are missing, ${lost} leases were lost`,
    );
  }
}
