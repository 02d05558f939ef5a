import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { inStatements } from "../../src/store/row-set.ts";

const max = 128 * 1024;
const rowOf = (characters: number) => ({ text: "x".repeat(characters) });

test("every row is in one statement, in order, and a statement is small unless one row is not", async () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(sizes, async (characters) => {
      const statements: { text: string }[][] = [];
      await inStatements(characters.map(rowOf), async (json) => {
        statements.push(JSON.parse(json));
        if (json.length > max + 100) expect(statements.at(-1)).toHaveLength(1);
      });
      expect(statements.flat().map(({ text }) => text.length)).toEqual(characters);
    }),
    { numRuns: 50 },
  );
});

test("one statement runs at a time, and the rows of the next are prepared in the meantime", async () => {
  const steps: string[] = [];
  function* rows() {
    for (const name of ["a", "b", "c"]) {
      steps.push(`make ${name}`);
      yield { name, ...rowOf(100_000) };
    }
  }
  await inStatements(rows(), async (json) => {
    const [{ name }] = JSON.parse(json);
    steps.push(`begin ${name}`);
    for (let turns = 0; turns < 5; turns += 1) await turn();
    steps.push(`end ${name}`);
  });
  // A row is seen to be too much for a statement once it is made.
  expect(steps).toEqual([
    ...["make a", "make b", "begin a", "make c", "end a"],
    ...["begin b", "end b", "begin c", "end c"],
  ]);
});

test("a statement that fails is the last, and its failure is reported", async () => {
  let statements = 0;
  const failing = async () => {
    statements += 1;
    throw new Error("full");
  };
  await expect(inStatements([rowOf(max), rowOf(max), rowOf(max)], failing)).rejects.toThrow("full");
  expect(statements).toBe(1);
});

test("if a row cannot be created, the running statement ends before the failure is reported", async () => {
  let ended = false;
  function* rows() {
    yield rowOf(max);
    yield rowOf(max);
    throw new Error("a score that breaks its own rules");
  }
  const slow = async () => {
    for (let turns = 0; turns < 5; turns += 1) await turn();
    ended = true;
  };
  await expect(inStatements(rows(), slow)).rejects.toThrow("breaks its own rules");
  expect(ended).toBe(true);
});
