import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compileExpression } from "../../src/projection/compile.ts";
import { Fuel } from "../../src/projection/fuel.ts";
import { serialize } from "../../src/projection/serialize.ts";
import type { Json } from "../../src/projection/value.ts";

interface Suite {
  readonly given: Json;
  readonly cases: readonly { readonly expression: string; readonly result?: unknown; readonly error?: string }[];
}

/** The official cases come with the Go library; they are read where Go keeps its modules. */
const source = "github.com/jmespath/go-jmespath@v0.4.0";
const folder = (() => {
  const { stdout, status } = spawnSync("go", ["mod", "download", "-json", source], { encoding: "utf8", cwd: "/" });
  return status === 0 ? join((JSON.parse(stdout) as { Dir: string }).Dir, "compliance") : undefined;
})();
if (!folder) console.warn("No Go, or its module proxy is out of reach: THE OFFICIAL JMESPATH CASES ARE SKIPPED");

const suites = (name: string): Suite[] => JSON.parse(readFileSync(join(folder ?? "", name), "utf8"));
const files = folder ? readdirSync(folder).filter((name) => name.endsWith(".json") && name !== "benchmarks.json") : [];

describe.skipIf(!folder)("the official cases", () => {
  test("there are hundreds of them", () => {
    expect(files.flatMap(suites).flatMap(({ cases }) => cases).length).toBeGreaterThan(500);
  });

  test.each(files)("%s", (name) => {
    const failed = suites(name).flatMap(({ given, cases }) =>
      cases.flatMap(({ expression, result, error }) => {
        const outcome = outcomeOf(expression, given);
        const wanted = error === undefined ? JSON.stringify(result) : "refused";
        return sameJson(outcome, wanted)
          ? []
          : [{ expression, given: JSON.stringify(given).slice(0, 200), outcome, wanted }];
      }),
    );
    expect(failed).toEqual([]);
  });
});

function outcomeOf(expression: string, given: Json): string {
  const fuel = new Fuel();
  try {
    // One character a byte.
    return Buffer.from(serialize(compileExpression(expression)(given, fuel), fuel), "latin1").toString();
  } catch {
    return "refused";
  }
}

function sameJson(one: string, other: string): boolean {
  if (one === other) return true;
  if (one === "refused" || other === "refused") return false;
  // Numbers and orders of members are compared as values; `keys` and `values` have no order.
  return canonical(JSON.parse(one)) === canonical(JSON.parse(other));
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member) =>
    member && typeof member === "object" && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
