import { expect } from "vitest";
import { BrokenInvariant, properties, timesChecked } from "./properties.ts";
import { World } from "./world.ts";

/** What happens in a world; it fails with `BrokenInvariant`. */
export type Simulation = (world: World) => Promise<void>;

/** How one seed ended. */
export interface Course {
  readonly seed: number;
  readonly trace: readonly string[];
  readonly broken: string | undefined;
}

const one = process.env.IDS_TEST_SEED;
const count = Number(process.env.IDS_TEST_SEEDS ?? 50);
/** Steps that are printed for a seed that fails. */
const reported = 25;

/** The seeds of this run: 50, the number in IDS_TEST_SEEDS, or only IDS_TEST_SEED. */
const seeds: readonly number[] =
  one === undefined || one === "" ? Array.from({ length: count }, (_, index) => index + 1) : [Number(one)];

export async function courseOf(seed: number, simulation: Simulation): Promise<Course> {
  await using world = new World(seed);
  try {
    await simulation(world);
    return { seed, trace: [...world.trace], broken: undefined };
  } catch (error) {
    if (!(error instanceof BrokenInvariant)) world.note(`failed: ${error instanceof Error ? error.stack : error}`);
    return { seed, trace: [...world.trace], broken: String(error) };
  }
}

/** Runs every seed. The first that fails is reported with its last steps. All properties of the simulation are reached. */
export async function holdsForAll(
  kind: Exclude<keyof typeof properties, "every">,
  simulation: Simulation,
): Promise<void> {
  let steps = 0;
  for (const seed of seeds) {
    const { trace, broken } = await courseOf(seed, simulation);
    steps += trace.length;
    expect(broken && `seed ${seed}: ${broken}\n${trace.slice(-reported).join("\n")}`).toBeUndefined();
  }
  const checked = timesChecked([...properties[kind], ...properties.every]);
  console.log(`${seeds.length} seeds, ${steps} steps`);
  for (const [property, times] of checked) console.log(`  ${times} x ${property}`);
  if (seeds.length > 1) expect([...checked].filter(([, times]) => times === 0)).toEqual([]);
}

/** The first seed in which something that is wrong on purpose is found. */
export async function findsWithin(max: number, simulation: Simulation): Promise<Course> {
  for (let seed = 1; seed <= max; seed += 1) {
    const course = await courseOf(seed, simulation);
    if (course.broken !== undefined) return course;
  }
  throw new Error(`Not found within ${max} seeds`);
}
