import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import {
  type Impact,
  type ImpactPage,
  type Monitoring,
  monitoring,
  type Watching,
} from "../../support/domains/monitoring.ts";

const directions = ["POSITIVE", "NEGATIVE", "MIXED"];
const lifecycles = ["ADMITTED", "CORRECTED", "RETRACTED"];

/** A filter of the caller, in every spelling. */
interface Filter {
  readonly company: readonly number[];
  readonly direction: readonly string[];
  readonly lifecycle: readonly string[];
}

const lowerOrLong = (name: string, values: readonly string[]) =>
  fc.array(fc.constantFrom(...values.flatMap((value) => [value.toLowerCase(), `MATERIAL_IMPACT_${name}_${value}`])), {
    maxLength: 2,
  });
const filter: fc.Arbitrary<Filter> = fc.record({
  company: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(fc.nat(1), { maxLength: 3 })),
  direction: lowerOrLong("DIRECTION", directions),
  lifecycle: lowerOrLong("LIFECYCLE", lifecycles),
});
const who = fc.nat(1);
const index = fc.nat(1_000);
const step = fc.oneof(
  fc.record({ kind: fc.constant("admit" as const), who, company: fc.nat(1), direction: fc.nat(2) }),
  fc.record({ kind: fc.constant("correct" as const), who, index, direction: fc.nat(2) }),
  fc.record({ kind: fc.constant("retract" as const), who, index }),
  fc.record({ kind: fc.constant("list" as const), who, filter, size: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant("turn" as const), index }),
  fc.record({ kind: fc.constant("turn" as const), index }),
  fc.record({ kind: fc.constant("poll" as const), index }),
  fc.record({ kind: fc.constant("wait" as const), milliseconds: fc.integer({ min: 1, max: 5 }) }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** An account as it should be: its impacts in every generation. */
interface Model {
  readonly watching: Watching;
  /** By their ids, at the place of the generation. */
  readonly generations: ReadonlyMap<string, Impact>[];
}

/** A list that is being read. */
interface Walk {
  readonly model: Model;
  readonly filter: Filter;
  readonly size: number;
  readonly operation: string;
  readonly expected: readonly Impact[];
  readonly seen: Impact[];
  generation: number;
  cursor: string;
  pollCursor: string;
}

describeEachDatabase("snapshots of impacts", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let api: Monitoring;

  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database, { environment: { IDS_PLAN_LIMITS: "enterprise=100000" } });
    api = monitoring(app, database);
    return app[Symbol.asyncDispose];
  });

  test("every page is of its own account and first generation, and the changes lead from one snapshot to the next", {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        let now = testTime.getTime();
        app.setTime(new Date(now));
        const models = await Promise.all([open(), open()]);
        const walks: Walk[] = [];
        for (const next of steps) {
          if (next.kind === "wait") {
            now += next.milliseconds;
            app.setTime(new Date(now));
          } else if (next.kind === "turn" || next.kind === "poll") {
            const walk = walks[next.index % Math.max(walks.length, 1)];
            if (next.kind === "turn") await turn(walk);
            else if (walk && walk.cursor === "" && walk.pollCursor !== "") walks.push(await poll(walk));
          } else {
            const model = models[next.who]!;
            if (next.kind === "list") walks.push(await begin(model, next.filter, next.size));
            else await revise(model, next);
          }
        }
        for (const walk of walks) {
          while (walk.cursor !== "") await turn(walk);
          expect(walk.seen.map(asStored)).toEqual(walk.expected.map(asStored));
        }
      }),
      { numRuns: 40 },
    );
  });

  async function open(): Promise<Model> {
    const watching = await api.open("Harrowgate Pumps plc", "Ferrybridge Freight Ltd");
    return { watching, generations: [new Map(), new Map()] };
  }

  async function revise(model: Model, next: Extract<Step, { kind: "admit" | "correct" | "retract" }>) {
    const { id, companies } = model.watching;
    const newest = model.generations.at(-1)!;
    const direction = `MATERIAL_IMPACT_DIRECTION_${directions["direction" in next ? next.direction : 0]}`;
    let made: Impact;
    if (next.kind === "admit") made = await api.admit(id, companies[next.company] ?? "", { direction });
    else {
      const open = [...newest.values()].filter(({ lifecycle }) => !lifecycle.endsWith("RETRACTED"));
      const chosen = open[next.index % Math.max(open.length, 1)];
      if (!chosen) return;
      made = await (next.kind === "correct"
        ? api.correct(id, chosen.impactId, { direction })
        : api.retract(id, chosen.impactId));
    }
    model.generations.push(new Map([...newest, [made.impactId, made]]));
  }

  async function sendRequest(walk: Walk): Promise<ImpactPage> {
    const { model, filter: requested, size, operation, cursor } = walk;
    const query: [string, string][] = [
      ...requested.company.map((place): [string, string] => ["company_id", model.watching.companies[place] ?? ""]),
      ...requested.direction.map((text): [string, string] => ["direction", text]),
      ...requested.lifecycle.map((text): [string, string] => ["lifecycle", text]),
      ["page_size", String(size)],
      ...(cursor === "" ? [] : [["cursor", cursor] as [string, string]]),
    ];
    // The order of the filters does not count.
    const { status, body } = await api.get<ImpactPage>(
      operation,
      cursor ? query.toReversed() : query,
      model.watching.key,
    );
    expect(status, JSON.stringify(body)).toBe(200);
    expect(Number(body.snapshot.snapshotGeneration)).toBe(walk.generation);
    for (const cursorOf of [body.nextCursor, body.snapshot.pollCursor])
      if (cursorOf !== "") expect(cursorOf).toMatch(documented);
    walk.cursor = body.nextCursor;
    walk.pollCursor = body.snapshot.pollCursor;
    walk.seen.push(...body.impacts);
    // Known only now: a revision may have been replaced while its generation is still read.
    const newest = model.generations.at(-1)!;
    for (const { impactId, impactRevision, isCurrent } of body.impacts)
      expect(isCurrent).toBe(newest.get(impactId)?.impactRevision === impactRevision);
    return body;
  }

  async function begin(model: Model, requested: Filter, size: number): Promise<Walk> {
    const expected = [...model.generations.at(-1)!.values()]
      .filter((impact) => isMatch(model, requested, impact))
      .sort((a, b) => (b.changedAt + b.impactId < a.changedAt + a.impactId ? -1 : 1));
    return start({ model, filter: requested, size, operation: "list-company-event-impacts", expected });
  }

  async function poll(before: Walk): Promise<Walk> {
    const { model, filter: requested, size } = before;
    const [older, newest] = [model.generations[before.generation]!, model.generations.at(-1)!];
    const expected = [...newest.values()]
      .filter((impact) => older.get(impact.impactId) !== impact)
      .filter((impact) => [impact, older.get(impact.impactId)].some((each) => each && isMatch(model, requested, each)))
      .sort((a, b) => madeIn(model, a) - madeIn(model, b));
    const operation = "list-company-event-changes";
    return start({ model, filter: requested, size, operation, expected }, before.pollCursor);
  }

  async function start(
    walk: Pick<Walk, "model" | "filter" | "size" | "operation" | "expected">,
    cursor = "",
  ): Promise<Walk> {
    const generation = walk.model.generations.length - 1;
    const begun: Walk = { ...walk, seen: [], generation, cursor, pollCursor: "" };
    const { pollState } = await sendRequest(begun);
    expect(pollState).toBe(cursor === "" ? undefined : "CURRENT");
    return begun;
  }

  async function turn(walk: Walk | undefined): Promise<void> {
    if (walk && walk.cursor !== "") await sendRequest(walk);
  }
});

const documented = /^cmc1\.[A-Za-z0-9_-]{16,1000}[A-Za-z0-9_-]{0,536}\.[A-Za-z0-9_-]{43}$/;

function asStored({ isCurrent: _, ...impact }: Impact): Omit<Impact, "isCurrent"> {
  return impact;
}

function isMatch({ watching }: Model, requested: Filter, { companyId, direction, lifecycle }: Impact): boolean {
  const has = (texts: readonly string[], value: string) =>
    texts.length === 0 || texts.some((text) => value.endsWith(`_${text.toUpperCase().split("_").at(-1)}`));
  const companies = requested.company.map((place) => watching.companies[place]);
  return (
    (companies.length === 0 || companies.includes(companyId)) &&
    has(requested.direction, direction) &&
    has(requested.lifecycle, lifecycle)
  );
}

function madeIn({ generations }: Model, impact: Impact): number {
  return generations.findIndex((generation) => generation.get(impact.impactId) === impact);
}
