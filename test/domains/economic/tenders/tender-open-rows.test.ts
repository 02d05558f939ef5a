import { expect, test } from "vitest";
import { testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import { startFaultBed } from "../../../support/faults/fault-loop.ts";

const path = "/api/economic/v1/list-global-tenders";
const hour = 3_600_000;

interface Body {
  readonly availability: string;
  readonly tenders: readonly object[];
  readonly sourceStatuses: readonly { readonly recordCount: number }[];
}

describeEachDatabase("The count of open notices that callers share", (openFresh) => {
  test("is repeated by the next request after it failed", async () => {
    await using bed = await startFaultBed(await openFresh(), { responseTimeoutMs: 4_000 });
    const { app, faulty } = bed;
    await app.refresh("global-tenders");
    // Notices of a stale feed are counted as of now.
    app.setTime(new Date(testTime.getTime() + 4 * hour));
    faulty.failOn("hangs", "select source, count(*)::int as open");
    const read = (size: number) => app.json<Body>(`${path}?page_size=${size}`);
    const failed = await Promise.all([1, 2, 3, 4].map(read));
    expect(faulty.disarm()).toContain("count(*)");
    expect(new Set(failed.map(({ availability }) => availability))).toEqual(new Set(["unavailable"]));
    const served = await Promise.all([1, 2, 3, 4].map(read));
    expect(new Set(served.map(({ availability }) => availability))).toEqual(new Set(["stale"]));
    for (const { sourceStatuses, tenders } of served) {
      expect(tenders.length).toBeGreaterThan(0);
      expect(sourceStatuses.some(({ recordCount }) => recordCount > 0)).toBe(true);
    }
  });
});
