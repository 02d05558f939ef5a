import { expect, test } from "vitest";
import { alertWorld } from "../support/simulation/alert-world.ts";
import { describeSimulation } from "../support/simulation/describe.ts";
import { courseOf, findsWithin, holdsForAll } from "../support/simulation/seeds.ts";

describeSimulation("alerts and their deliveries under seeded schedules", (sessions) => {
  test("are reported at least once and always the same, by the retry plan, and not for a paused rule or another account", async () => {
    await holdsForAll("alerts", alertWorld(sessions()));
  });

  test("of rules that a process reads only once are found wrong, and the seed fails again the same way", async () => {
    const simulation = alertWorld(sessions(), { areRulesStored: true });
    const found = await findsWithin(20, simulation);
    expect(found.broken).toMatch(/not paused|tells e\d nothing|none of its rule's business/);
    expect(await courseOf(found.seed, simulation)).toEqual(found);
  });

  test("of series whose levels are forgotten are found", async () => {
    const found = await findsWithin(20, alertWorld(sessions(), { areLevelsLost: true }));
    expect(found.broken).toMatch(/stands at nothing/);
  });

  test("that are tried again too soon are found", async () => {
    const simulation = alertWorld(sessions(), { plan: [500, 15_000, 150_000] });
    expect((await findsWithin(50, simulation)).broken).toMatch(/waits \d+ ms/);
  });
});
