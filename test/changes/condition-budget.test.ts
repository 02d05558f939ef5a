import { setImmediate as nextTurn } from "node:timers/promises";
import type { JsonObject } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ConditionBudget } from "../../src/changes/change-condition.ts";
import { ChangeEntry } from "../../src/changes/change-message.ts";
import { createProject } from "../../src/interceptors/project.ts";
import { compileExpression } from "../../src/projection/compile.ts";
import { type Evaluate, Fuel, fuelLimit } from "../../src/projection/fuel.ts";
import { ProjectionFailed } from "../../src/projection/projection-errors.ts";
import { costlyConditions } from "../projection/costly-conditions.ts";
import { costlyExpressions } from "../projection/costly-expressions.ts";
import { stallingExpressions } from "../projection/stalling-expressions.ts";
import { countTurns } from "../support/turns.ts";

const entryOf = (after: JsonObject) =>
  new ChangeEntry({
    ...{ position: 7, at: new Date(0), dataset: "internet-outages", origin: "live", kind: "appeared" },
    ...{ rows: "outages", subject: "7", country: "UA", source: "", before: null, after },
  });
const change = entryOf({ id: "7", title: "Outage 7", severity: "OUTAGE_SEVERITY_TOTAL", fatalities: 12 });

/** The costliest of many, by what they spend. */
const found = fc
  .sample(
    costlyExpressions([
      ["after", "object"],
      ["[@]", { listOf: "object" }],
      ["after.title", "text"],
    ]),
    {
      numRuns: 2_000,
      seed: 7,
    },
  )
  .map((expression) => ({ expression, spent: spentBy(expression) }))
  .sort((one, other) => other.spent - one.spent)
  .slice(0, 5)
  .map(({ expression }) => expression);

function spentBy(expression: string): number {
  const fuel = new Fuel();
  try {
    compileExpression(expression)(change.plain, fuel);
  } catch (error) {
    if (!(error instanceof ProjectionFailed)) throw error;
  }
  return fuel.spent;
}

/** Counts evaluations and what they spend in each turn of the event loop. */
function counted(expression: string, turn: () => number) {
  const evaluate = compileExpression(expression);
  const turns = new Map<number, { rows: number; fuel: number }>();
  const counting: Evaluate = (value, fuel) => {
    const own = turns.get(turn()) ?? { rows: 0, fuel: 0 };
    turns.set(turn(), own);
    own.rows += 1;
    try {
      return evaluate(value, fuel);
    } finally {
      own.fuel += fuel.spent;
    }
  };
  return { counting, turns };
}

test.each([...Object.values(costlyConditions), ...Object.values(stallingExpressions()), ...found])(
  "evaluations share the fuel of a turn, however many callers there are: %s",
  async (expression) => {
    // The turn in which the test before ended.
    await nextTurn();
    using turns = countTurns();
    const { counting, turns: perTurn } = counted(expression, turns.count);
    const budgets = Array.from({ length: 5 }, () => new ConditionBudget(4_000_000));
    await Promise.all(
      budgets.map(async (budget) => {
        for (let row = 0; row < 50; row += 1) await budget.holds(counting, change);
      }),
    );
    const all = [...perTurn.values()];
    const spent = all.reduce((sum, { fuel }) => sum + fuel, 0);
    expect(Math.max(...all.map(({ fuel }) => fuel))).toBeLessThan(2 * fuelLimit);
    expect(spent).toBeLessThan(budgets.length * (4_000_000 + fuelLimit));
    expect(all.length).toBeGreaterThanOrEqual(spent / (2 * fuelLimit));
    // One that exhausts its fuel has a turn to itself.
    if (spentBy(expression) === fuelLimit) expect(Math.max(...all.map(({ rows }) => rows))).toBe(1);
  },
);

test("a row that exhausts its fuel does not match, and the rows after it are evaluated", async () => {
  const evaluate = compileExpression(`(after.dear && (${costlyConditions.flattened})) || after.wanted`);
  const budget = new ConditionBudget(10 * fuelLimit);
  const rows = [{ wanted: true }, { dear: true, wanted: true }, { wanted: false }, { wanted: true }];
  const held: boolean[] = [];
  for (const row of rows) held.push(await budget.holds(evaluate, entryOf(row)));
  expect(held).toEqual([true, false, false, true]);
});

test("a spent budget evaluates nothing", async () => {
  const budget = new ConditionBudget(fuelLimit);
  await budget.holds(compileExpression(costlyConditions.flattened), change);
  expect(budget.isSpent).toBe(true);
  const never: Evaluate = () => expect.unreachable();
  expect(await budget.holds(never, change)).toBe(false);
});

test("a cheap condition is not slowed down by a costly one", async () => {
  using turns = countTurns();
  const costly = new ConditionBudget(100 * fuelLimit);
  const dear = compileExpression(costlyConditions.flattened);
  const over = new AbortController();
  const hostile = (async () => {
    while (!over.signal.aborted && !costly.isSpent) await costly.holds(dear, change);
  })();
  const cheap = new ConditionBudget(10_000_000);
  const condition = compileExpression("after.fatalities > `10`");
  let matches = 0;
  for (let row = 0; row < 10_000; row += 1) if (await cheap.holds(condition, change)) matches += 1;
  over.abort();
  await hostile;
  expect(matches).toBe(10_000);
  expect(turns.count()).toBeLessThan(20);
});

test("projections that are wanted together do not share one turn", async () => {
  using turns = countTurns();
  const project = createProject();
  await Promise.all(
    Array.from({ length: 20 }, () => project(costlyConditions.flattened, change.plain).catch(() => undefined)),
  );
  expect(turns.count()).toBeGreaterThanOrEqual(19);
});
