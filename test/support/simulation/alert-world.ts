import { create } from "@bufbuild/protobuf";
import { TriggerSchema } from "../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import { configuredPlans } from "../../../src/access/plans.ts";
import type { RetryPlan } from "../../../src/delivery/attempt.ts";
import { type DeliverParts, deliver } from "../../../src/delivery/deliver.ts";
import { sweep } from "../../../src/delivery/delivery-jobs.ts";
import { deliveryJob } from "../../../src/delivery/delivery-kinds.ts";
import { deliveryRules } from "../../../src/domains/alerts/delivery-rules.ts";
import { evaluateChanges, type KnownRules } from "../../../src/domains/alerts/evaluation/evaluate-changes.ts";
import { evaluatePoints } from "../../../src/domains/alerts/evaluation/evaluate-points.ts";
import type { EvaluationParts } from "../../../src/domains/alerts/evaluation/evaluation-parts.ts";
import { addRule, pauseRule, rulesGeneration } from "../../../src/domains/alerts/rules/rule-store.ts";
import { Unavailable } from "../../../src/errors.ts";
import type { Send } from "../../../src/jobs/queue.ts";
import { logChanges } from "../../../src/store/changes/change-log.ts";
import { retainPoints } from "../../../src/store/history/series-points.ts";
import { alertLedger } from "./alert-ledger.ts";
import { alertReceiver } from "./alert-receiver.ts";
import { jobTable } from "./job-table.ts";
import { check } from "./properties.ts";
import type { Simulation } from "./seeds.ts";
import { seriesLedger } from "./series-ledger.ts";
import type { Sessions, SimulatedPool } from "./sessions.ts";
import type { Replica, World } from "./world.ts";

/** Faults that are injected on purpose. */
export interface Spoiled {
  /** How long deliveries wait, in place of the plan. */
  readonly plan?: RetryPlan;
  /** A process reads the rules once and never again. */
  readonly areRulesStored?: true;
  /** Where figures stand is forgotten. */
  readonly areLevelsLost?: true;
}

const dataset = "conflict-events";
const series = "risk.score";
const countries = ["SD", "UA"];
const threshold = 50;
/** Around the threshold, and within and beyond what must be back. */
const values = [30, 44, 48, 50, 52, 56, 70];
const accounts = ["a0", "a1"];
const endpoints = ["e0", "e1", "e2", "e3"];
/** The first two are of the first account; the second is a feed. */
const accountOf = (endpoint: number) => (endpoint < 2 ? "a0" : "a1");
const plan: RetryPlan = [1_000, 30_000, 300_000];
const timeoutMs = 5_000;
const hourMs = 3_600_000;
const plans = configuredPlans(new Map());
const enterprise = plans.get("enterprise");

interface Process {
  readonly replica: Replica;
  readonly pool: SimulatedPool;
  readonly send: Send;
  readonly deliverParts: DeliverParts;
  readonly evaluationParts: EvaluationParts;
  known: KnownRules | undefined;
}

/** Rules that are made and paused while others evaluate them, and deliveries to addresses that fail now and then. */
export function alertWorld(sessions: Sessions, spoiled: Spoiled = {}): Simulation {
  return async (world) => {
    sessions.join(world);
    await furnish(sessions);
    world.lossOf = world.pick([0, 60]);
    const isSkewed = world.chance(0.4);
    const jobs = await jobTable(world, sessions);
    const receiver = alertReceiver(world, sessions, isSkewed);
    const ledger = alertLedger(sessions, { arrived: receiver.arrived, plan });
    const ofSeries = seriesLedger(sessions);
    world.check = async () => {
      if (!/ commit/.test(world.trace.at(-1) ?? "")) return;
      await ledger.check();
      await ofSeries.check();
    };
    const processes: Process[] = [];
    const start = () => {
      const replica = world.replica();
      const pool = sessions.of(world, replica);
      processes.push(processOf(world, replica, pool, jobs.sendOf(pool), receiver.channelOf(replica), spoiled));
    };
    for (let count = 2 + world.below(3); count > 0; count -= 1) start();
    const act = actions(world, processes, jobs, start);
    const skew = () => {
      if (isSkewed) world.pick(processes).replica.skew = world.pick([0, 30_000, -30_000, hourMs, -hourMs]);
    };
    const { log, measure, rule, pause, evaluate, work, lookAround, kill, wait } = act(spoiled);
    for (let count = 3; count > 0; count -= 1) rule();
    const often = [log, log, measure, measure, evaluate, evaluate, work, work, work, work, wait, wait];
    await world.explore([...often, rule, rule, pause, lookAround, kill, skew], 30);
    for (const { replica } of processes) replica.skew = 0;
    await world.finish();
    for (let round = 0; round < 60; round += 1) {
      if (round === 2) receiver.heal();
      world.time.advance(round === 0 ? 2 * hourMs : 600_000);
      evaluate();
      await world.finish();
      lookAround();
      await world.finish();
      for (let left = 8; left > 0; left -= 1) await work();
      await world.finish();
      if (round > 2 && (await unfinished(sessions)) === 0) break;
    }
    await ledger.check();
    const left = await unfinished(sessions);
    check("no delivery, change, or point is left", left === 0, () => `${left} are left`);
  };
}

function processOf(
  world: World,
  replica: Replica,
  pool: SimulatedPool,
  send: Send,
  channel: DeliverParts["channels"]["webhook"],
  spoiled: Spoiled,
): Process {
  const clock = world.clockOf(replica);
  const shared = { database: pool.kysely, clock };
  const tiers = new Map([[dataset, 0]]);
  return {
    ...{ replica, pool, send, known: undefined },
    deliverParts: {
      ...shared,
      ...deliveryRules({ plans, send }),
      channels: { chokepoints: channel, webhook: channel, slack: channel, email: channel, feed: channel },
      wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      ...{ timeoutMs, perSecond: 50, random: world.random, plan: spoiled.plan ?? plan },
    },
    evaluationParts: {
      ...{ ...shared, send, plans, data: "live", admits: () => true, warn: () => undefined },
      watched: {
        tiers,
        series: new Map([[series, { series: { id: series } as never, dataset: {} as never, tier: 0, restricted: [] }]]),
      },
    },
  };
}

function actions(
  world: World,
  processes: Process[],
  jobs: Awaited<ReturnType<typeof jobTable>>,
  start: () => void,
): (
  spoiled: Spoiled,
) => Record<
  "log" | "measure" | "rule" | "pause" | "evaluate" | "work" | "lookAround" | "kill" | "wait",
  () => unknown
> {
  const rules: { readonly id: string; readonly account: string }[] = [];
  const { signal } = new AbortController();
  const spawn = (what: string, work: (process: Process) => Promise<unknown>, process = world.pick(processes)) => {
    world.note(`${process.replica.name} begins to ${what}`);
    world.spawn(process.replica, () => work(process).catch(onLoss));
  };
  const sweepOnce = async ({ pool, replica, send }: Process) => {
    for (const webhook of await sweep(pool.kysely, world.clockOf(replica)())) await send(deliveryJob, { webhook });
  };
  return ({ areRulesStored, areLevelsLost }) => ({
    log() {
      const changes = Array.from({ length: 1 + world.below(3) }, () => ({
        ...({ kind: "appeared", rows: "events", subject: "one" } as const),
        country: world.pick(countries),
      }));
      const at = new Date(world.time.now());
      spawn("log", ({ pool }) =>
        pool.kysely
          .transaction()
          .execute((transaction) => logChanges(transaction, { dataset, origin: "live", at }, changes)),
      );
    },
    measure() {
      const methodology = world.chance(0.9) ? "1" : "2";
      // Some arrive late.
      const at = new Date(world.time.now() - (world.chance(0.1) ? 60_000 : 0));
      const points = countries.filter(() => world.chance(0.7)).map((key) => ({ key, at, value: world.pick(values) }));
      const reported = {
        series,
        origin: "live",
        basis: { methodology, sources: "one" },
        areSampled: true,
        points,
      } as const;
      spawn("measure", ({ pool }) =>
        pool.kysely.transaction().execute((transaction) => retainPoints(transaction, [reported], at)),
      );
    },
    rule() {
      if (rules.length >= 6 || !enterprise) return;
      const account = world.pick(accounts);
      const own = endpoints.filter((_, index) => accountOf(index) === account);
      const made = { id: `rule${rules.length}`, account, plan: enterprise };
      const named = world.chance(0.5) ? [world.pick(countries)] : [];
      const trigger = create(
        TriggerSchema,
        world.chance(0.5)
          ? { changes: { datasets: [dataset], countries: named, kinds: ["appeared"] } }
          : {
              series: {
                ...{ series, keys: named, threshold, hysteresis: world.pick([0, 0, 5]) },
                direction: world.pick(["above", "below"]),
              },
            },
      );
      const endpointIds = own.slice(0, world.below(own.length + 1));
      rules.push(made);
      const now = new Date(world.time.now());
      spawn("make a rule", ({ pool }) => addRule(pool.kysely, made, { name: made.id, trigger, endpointIds }, now));
    },
    pause() {
      if (rules.length === 0) return;
      const { account, id } = world.pick(rules);
      const at = world.chance(0.5) ? new Date(world.time.now()) : null;
      spawn(`${at ? "pause" : "resume"} ${id}`, ({ pool }) =>
        pauseRule(pool.kysely, account, id, at).catch((error: Error) => {
          if (error.name !== "NotFound") throw error;
        }),
      );
    },
    evaluate() {
      spawn("evaluate", async (process) => {
        if (areRulesStored && process.known)
          process.known = { ...process.known, generation: await generationNow(process) };
        process.known = await evaluateChanges(process.evaluationParts, process.known, signal);
        await evaluatePoints(process.evaluationParts, signal);
        if (areLevelsLost) await process.pool.query("delete from alert_level");
      });
    },
    async work() {
      const job = await jobs.take();
      if (!job) return;
      const webhook = job.data.webhook ?? "";
      spawn(`${job.kind} ${webhook}`, async (process) => {
        if (job.kind !== deliveryJob.name) return sweepOnce(process);
        const due = await deliver(webhook, { signal }, process.deliverParts);
        if (due) await process.send(deliveryJob, { webhook }, { startAfter: due });
      });
    },
    lookAround: () => spawn("sweep", sweepOnce),
    async kill() {
      const [process] = processes.splice(world.below(processes.length), 1);
      if (process) await world.kill(process.replica);
      start();
    },
    wait: () => world.time.advance(world.pick([100, 1_500, 31_000, 400_000])),
  });
}

async function generationNow({ pool }: Process): Promise<number> {
  const { rows } = await pool.query("select value from generation where name = $1", [rulesGeneration]);
  return Number(rows[0]?.value ?? 0);
}

function onLoss(error: unknown): void {
  if (!(error instanceof Unavailable) && Object(error).code !== "ECONNRESET") throw error;
}

async function furnish({ observer }: Sessions): Promise<void> {
  await observer.query(
    "truncate account, change, alert_position, alert_point, alert_rule, alert_level, webhook, series_key restart identity cascade",
  );
  await observer.query("delete from generation where name = any($1)", [["changes", rulesGeneration]]);
  for (const id of accounts) {
    await observer.query("insert into account (id, name) values ($1, $1)", [id]);
    await observer.query(
      "insert into subscription (id, account, provider, plan, active) values ($1, $1, 'local', 'enterprise', true)",
      [id],
    );
  }
  for (const [index, id] of endpoints.entries())
    await observer.query(
      `insert into webhook (id, account, kind, name, callback_url, chokepoint_ids, alert_threshold, created_at, secret)
       values ($1, $2, $3, $1, 'https://example.com', '{}', 0, to_timestamp(0), '')`,
      [id, accountOf(index), index === 1 ? "feed" : "webhook"],
    );
}

/** Deliveries that wait, and changes and points that no rule has looked at. */
async function unfinished({ observer }: Sessions): Promise<number> {
  const { rows } = await observer.query(`
    select (select count(*) from webhook_delivery where state = 'pending') + (select count(*) from alert_point)
      + coalesce((select value from generation where name = 'changes'), 0)
      - coalesce((select position from alert_position), 0) as left`);
  return Number(rows[0]?.left);
}
