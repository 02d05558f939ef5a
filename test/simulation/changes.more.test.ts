import { expect, test } from "vitest";
import { bySequence, changeWorld } from "../support/simulation/change-world.ts";
import { describeSimulation } from "../support/simulation/describe.ts";
import { courseOf, findsWithin, holdsForAll } from "../support/simulation/seeds.ts";

describeSimulation("positions of changes under seeded schedules", (sessions) => {
  test("are read by every reader once and in order, wherever it is cut and resumes", async () => {
    await holdsForAll("changes", changeWorld(sessions()));
  });

  test("that a sequence gives out are found wrong, and the seed fails again the same way", async () => {
    const simulation = changeWorld(sessions(), bySequence);
    const found = await findsWithin(20, simulation);
    expect(found.broken).toMatch(/a reader receives|a gap|stays at/);
    expect(await courseOf(found.seed, simulation)).toEqual(found);
  });
});
