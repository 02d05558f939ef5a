import { expect, test } from "vitest";
import { describeSimulation } from "../support/simulation/describe.ts";
import { leaseWorld } from "../support/simulation/lease-world.ts";
import { courseOf, findsWithin, holdsForAll } from "../support/simulation/seeds.ts";

describeSimulation("leased quotas under seeded schedules", (sessions) => {
  test("are never exceeded by all processes together, and lose no more than a lease with each that is killed", async () => {
    await holdsForAll("leases", leaseWorld(sessions()));
  });

  test("that give nothing back are found, and the seed fails again the same way", async () => {
    const simulation = leaseWorld(sessions(), (store) => ({ ...store, giveBack: async () => undefined }));
    const found = await findsWithin(20, simulation);
    expect(found.broken).toContain("are missing");
    expect(await courseOf(found.seed, simulation)).toEqual(found);
  });

  test("that count in each process for itself are found", async () => {
    const only = leaseWorld(sessions(), (store) => {
      const own = new Map<string, number>();
      return {
        ...store,
        async add(rule, key, points) {
          const window = await store.add(rule, key, points);
          own.set(key, (own.get(key) ?? 0) + points);
          return { ...window, used: own.get(key) ?? 0 };
        },
      };
    });
    expect((await findsWithin(20, only)).broken).toMatch(/lets more than|reports/);
  });
});
