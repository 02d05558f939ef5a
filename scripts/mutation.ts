// Measures the tests of important folders: changes one expression at a time, in memory, and reports each change that no
// test notices. `scripts/mutation-targets.json` names the files and their tests.
//   node scripts/mutation.ts [TARGET …] [--max=80] [--seed=1] [--at=FILE:LINE]
import { globSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { createVitest, type TestRunResult, type TestSpecification, type Vitest } from "vitest/node";
import { type Mutant, mutantsOf } from "./mutants.ts";
import { randomOf } from "./samples/random.ts";

interface Target {
  readonly files: readonly string[];
  /** The tests in the order in which they run, the fastest first. */
  readonly tests: readonly string[];
}

const options = new Map(
  process.argv.slice(2).flatMap((argument) => {
    const [, name = "", value = ""] = /^--(\w+)=(.*)$/.exec(argument) ?? [];
    return name === "" ? [] : [[name, value]];
  }),
);
const named = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const max = Number(options.get("max") ?? 80);
const seed = options.get("seed") ?? String(Date.now() % 100_000);
const place = options.get("at") ?? "";
const targets: Readonly<Record<string, Target>> = JSON.parse(readFileSync("scripts/mutation-targets.json", "utf8"));
const { TMPDIR = tmpdir() } = process.env;
let replaced: { readonly file: string; readonly program: string } | undefined;

for (const name of named.length > 0 ? named : Object.keys(targets)) {
  const target = targets[name];
  if (target === undefined) throw new Error(`Unknown target "${name}". Use one of: ${Object.keys(targets).join(", ")}`);
  await measure(name, target);
}

async function measure(name: string, { files, tests }: Target): Promise<void> {
  const all = globSync([...files]).flatMap((file) =>
    mutantsOf(file, readFileSync(file, "utf8")).map((mutant) => ({ file: resolve(file), name: file, ...mutant })),
  );
  const chosen = sample(all.filter((mutant) => `${mutant.name}:${mutant.line}`.startsWith(place)));
  const order = tests.flatMap((pattern) => globSync(pattern).map((file) => resolve(file)));
  const vitest = await startVitest(order);
  try {
    const specifications = await vitest.globTestSpecifications();
    const startedAt = performance.now();
    const isPassed = await passes(vitest, specifications, 600_000);
    if (!isPassed) throw new Error(`The tests of ${name} fail without a change`);
    const timeoutMs = 10_000 + 3 * (performance.now() - startedAt);
    console.log(
      `${name}: ${chosen.length} of ${all.length} mutants, seed ${seed}, at most ${Math.round(timeoutMs)} ms`,
    );
    let killed = 0;
    for (const mutant of chosen) {
      replaced = mutant;
      vitest.invalidateFile(mutant.file);
      const survives = await passes(vitest, specifications, timeoutMs);
      replaced = undefined;
      vitest.invalidateFile(mutant.file);
      if (survives) console.log(`  survived after ${killed} killed: ${mutant.name}:${mutant.line}  ${mutant.change}`);
      else killed += 1;
    }
    console.log(`${name}: ${killed} of ${chosen.length} killed`);
  } finally {
    await vitest.close();
    // The tests use a temporary folder of their own, which no longer exists.
    process.env.TMPDIR = TMPDIR;
  }
}

function sample<T extends Mutant>(mutants: readonly T[]): readonly T[] {
  const { unit } = randomOf("mutants", seed);
  const shuffled = mutants.map((mutant) => ({ mutant, rank: unit() })).sort((one, other) => one.rank - other.rank);
  const chosen = new Set(shuffled.slice(0, max).map(({ mutant }) => mutant));
  return mutants.filter((mutant) => chosen.has(mutant));
}

function startVitest(order: readonly string[]): Promise<Vitest> {
  const place = ({ moduleId }: TestSpecification) => order.indexOf(moduleId);
  return createVitest(
    {
      ...{ config: "test/vitest.config.ts", include: [...order], watch: false, reporters: [], silent: true, bail: 1 },
      ...{ maxWorkers: 1, fsModuleCache: false, pool: "forks", teardownTimeout: 1_000 },
      // Only Vite's runner asks the plugin for a module.
      experimental: { viteModuleRunner: true },
      sequence: {
        sequencer: class {
          shard = async (files: TestSpecification[]) => files;
          sort = async (files: TestSpecification[]) => files.toSorted((one, other) => place(one) - place(other));
        },
      },
    },
    { plugins: [{ name: "mutant", enforce: "pre", load: (id) => (id === replaced?.file ? replaced.program : null) }] },
  );
}

/** Whether all tests pass in time. */
async function passes(vitest: Vitest, specifications: TestSpecification[], timeoutMs: number): Promise<boolean> {
  const timer = setTimeout(endWorkers, timeoutMs);
  try {
    return isGreen(await vitest.runTestSpecifications(specifications));
  } finally {
    clearTimeout(timer);
  }
}

function isGreen({ testModules, unhandledErrors }: TestRunResult): boolean {
  return unhandledErrors.length === 0 && testModules.length > 0 && testModules.every((module) => module.ok());
}

/** A worker in an endless loop does not respond to Vitest. */
function endWorkers(): void {
  for (const pid of readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean))
    if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("vitest")) process.kill(Number(pid), "SIGKILL");
}
