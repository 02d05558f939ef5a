import { expect, test } from "vitest";
import { isFresh } from "../../../../src/domains/market/premiums/input-state.ts";
import { currentPremiums, metalPremiums } from "../../../../src/domains/market/premiums/metal-premiums.ts";
import { clocksOf } from "../../../../src/domains/market/premiums/premium-table.ts";
import { checkRows } from "../../../../src/ingest/refresh/fetch.ts";
import { sampleUpstream } from "../../../../src/upstream/sample/sample.ts";

test("the sample is fresh whenever in a week it is started, and until the refresh of the next day", async () => {
  for (let hour = 0; hour < 7 * 24; hour += 5) {
    const now = new Date(Date.parse("2026-11-16T00:30:00Z") + hour * 3_600_000);
    const rows = await Promise.all(
      metalPremiums.sources.map(async (source) => {
        const upstream = sampleUpstream(source.name, () => now);
        return checkRows(metalPremiums.row, source.parse(await source.fetch(upstream), now).rows).rows;
      }),
    );
    const premiums = currentPremiums(rows.flat(), { origin: "sample", now });
    const next = new Date(now).setUTCHours(24 + 8, 0, 0, 0);
    expect(premiums).toHaveLength(2);
    for (const row of premiums)
      for (const instant of [now.getTime(), next])
        expect(isFresh(clocksOf({ ...row, print_day: row.print_date }), instant), now.toISOString()).toBe(true);
  }
});
