import { describe, expect, test } from "vitest";
import { buildEventIndex } from "../../../src/domains/conflict/event-index.ts";
import type { EventPage } from "../../../src/domains/conflict/event-table.ts";
import { startApp } from "../../support/app.ts";
import { describeOnce } from "../../support/databases.ts";
import { randomOf } from "../../support/domains/synthetic-bases.ts";

type Row = EventPage["events"][number] & { readonly occurredAt: bigint; readonly country: string };

/** Events as the store gives them: newest first, several at many a moment. */
function eventsOf(count: number, random: () => number): Row[] {
  const times = Array.from({ length: count }, () => BigInt(Math.floor((random() * count) / 3)));
  times.sort((a, b) => Number(b - a));
  return times.map((occurredAt, index) => ({
    id: String(index).padStart(6, "0"),
    occurredAt,
    country: random() < 0.5 ? "SD" : "UA",
    location: { latitude: 1, longitude: 2 },
  }));
}

async function* chunksOf(rows: readonly Row[]) {
  for (let start = 0; start < rows.length; start += 1_000) yield rows.slice(start, start + 1_000);
}

describe("An index of events", () => {
  test.each([
    ["all events", 3_000, 0],
    ["the newest of very many", 50_500, 400],
  ])("of %s has the same windows as a list of them", async (_what, count, unknown) => {
    const random = randomOf(count);
    const rows = eventsOf(count, random);
    const index = await buildEventIndex(1, chunksOf(rows));
    let passed = 0;
    for (let round = 0; round < 200; round++) {
      const [a, b] = [random(), random()].map((part) => Math.floor((part * count) / 3));
      const filter = {
        from: BigInt(Math.min(a ?? 0, b ?? 0)),
        to: BigInt(Math.max(a ?? 0, b ?? 0)),
        countries: [[], ["SD"], ["FR"]][round % 3] ?? [],
      };
      const page = index.read(filter, { limit: 50 });
      if (!page) {
        passed += 1;
        expect(filter.from).toBeLessThan(BigInt(unknown));
        continue;
      }
      const matching = rows.filter(
        ({ occurredAt, country }) =>
          occurredAt >= filter.from &&
          occurredAt <= filter.to &&
          (filter.countries.length === 0 || filter.countries.includes(country)),
      );
      expect(page.totalCount).toBe(matching.length);
      expect(page.events.map(({ id }) => id)).toEqual(matching.slice(0, 50).map(({ id }) => id));
      expect(page.next?.id).toBe(matching.length > 50 ? matching[49]?.id : undefined);
      const second = page.next && index.read(filter, { limit: 50, after: page.next });
      expect(second?.events.map(({ id }) => id) ?? []).toEqual(matching.slice(50, 100).map(({ id }) => id));
    }
    expect(passed).toBeLessThan(20);
  });
});

describeOnce("ListConflictEvents", (openFresh) => {
  test("a window that was never requested is served without the store", async () => {
    const database = await openFresh();
    await using app = await startApp(database);
    await app.refresh("conflict-events");
    const path = (start: number) => `/api/conflict/v1/list-conflict-events?start=${start}`;
    const before = await app.json<{ events: unknown[] }>(path(1_000));
    await database.query("alter table conflict_event rename to conflict_event_gone");
    expect(await app.json(path(1_001))).toEqual(before);
    expect(before.events.length).toBeGreaterThan(1_000);
  });
});
