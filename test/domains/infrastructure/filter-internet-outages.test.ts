import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../../support/app.ts";
import { describeOnce } from "../../support/databases.ts";

const list = "/api/infrastructure/v1/list-internet-outages";
const count = "/api/infrastructure/v1/count-internet-outages";

interface Outage {
  readonly country: string;
  readonly severity: string;
  readonly outageType: string;
  readonly detectedAt: number;
  readonly endedAt: number;
}

interface Counts {
  readonly counts: readonly Record<string, string | number>[];
  readonly totalOutages: number;
}

describeOnce("Internet outages", (openFresh) => {
  let app: TestApp;
  let all: readonly Outage[];
  const outagesOf = async (query: string) =>
    (await app.json<{ outages: readonly Outage[] }>(`${list}?${query}`)).outages;
  beforeAll(async () => {
    app = await startApp(await openFresh());
    await app.refresh("internet-outages");
    all = await outagesOf("");
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("are filtered by extent and by whether they last", async () => {
    const isTotal = ({ severity }: Outage) => severity === "OUTAGE_SEVERITY_TOTAL";
    const isMajor = ({ severity }: Outage) => severity === "OUTAGE_SEVERITY_MAJOR";
    expect(await outagesOf("severity=total")).toEqual(all.filter(isTotal));
    expect(await outagesOf("severity=total,OUTAGE_SEVERITY_MAJOR")).toEqual(
      all.filter((outage) => isTotal(outage) || isMajor(outage)),
    );
    expect(await outagesOf("severity=major&severity=total")).toEqual(await outagesOf("severity=total,major"));
    expect(await outagesOf("ongoing=true")).toEqual(all.filter(({ endedAt }) => endedAt === 0));
    expect(await outagesOf("ongoing=false")).toEqual(all.filter(({ endedAt }) => endedAt !== 0));
    for (const query of ["severity=total", "severity=major", "ongoing=true", "ongoing=false"])
      expect((await outagesOf(query)).length).toBeGreaterThan(0);
  });

  test("of several countries are those of any of them, and are counted so", async () => {
    const [first = "", second = ""] = [...new Set(all.map(({ country }) => country))].filter((code) => code !== "");
    const expected = all.filter(({ country }) => country === first || country === second);
    expect(expected.length).toBeLessThan(all.length);
    for (const query of [`countries=${first},${second}`, `country=${first}&countries=${second.toLowerCase()}`]) {
      expect(await outagesOf(query)).toEqual(expected);
      expect((await app.json<Counts>(`${count}?${query}`)).totalOutages).toBe(expected.length);
    }
    expect((await app.rejected(`${list}?countries=Nowhere`))[0]).toMatch(/^countries/);
  });

  test.each(["nonsense", "OUTAGE_SEVERITY_UNSPECIFIED", "unspecified", "partial,OUTAGE_SEVERITY_UNSPECIFIED"])(
    "severity=%s is refused with the values that there are",
    async (severity) => {
      const response = await app.get(`${list}?severity=${severity}`);
      expect(response.status).toBe(400);
      const { violations } = (await response.json()) as { violations: { field: string; description: string }[] };
      expect(violations.map(({ description }) => description)).toEqual([
        "value must be one of OUTAGE_SEVERITY_PARTIAL, OUTAGE_SEVERITY_MAJOR, OUTAGE_SEVERITY_TOTAL",
      ]);
      expect(violations[0]?.field).toMatch(/^severity/);
    },
  );

  test.each([
    ["country", ({ country }: Outage) => country, "country"],
    ["type", ({ outageType }: Outage) => outageType, "outageType"],
    ["day", ({ detectedAt }: Outage) => new Date(detectedAt).toISOString().slice(0, 10), "day"],
  ])("are counted by %s as they are listed", async (group, groupOf, member) => {
    const { counts, totalOutages } = await app.json<Counts>(`${count}?group_by=${group}`);
    const expected = [...Map.groupBy(all, groupOf)].map(([name, outages]) => ({
      country: "",
      outageType: "",
      day: "",
      [member]: name,
      outages: outages.length,
      ongoing: outages.filter(({ endedAt }) => endedAt === 0).length,
    }));
    expect(counts).toHaveLength(expected.length);
    expect(counts).toEqual(expect.arrayContaining(expected));
    expect(totalOutages).toBe(all.length);
    const order = counts.map((each) => (group === "day" ? (each.day ?? "") : (each.outages ?? 0)));
    expect(order).toEqual([...order].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)));
  });

  test("are counted under the same filters, and without a match as none", async () => {
    const ongoing = all.filter(({ endedAt }) => endedAt === 0).length;
    expect(await app.json<Counts>(`${count}?ongoing=true`)).toMatchObject({
      counts: [{ outages: ongoing, ongoing }],
      totalOutages: ongoing,
    });
    expect(await app.json<Counts>(`${count}?country=AQ`)).toMatchObject({
      counts: [],
      totalOutages: 0,
      unavailableReason: "",
    });
  });

  test.each([
    ["severity=unspecified", "severity"],
    ["severity=bad", "severity"],
    ["ongoing=perhaps", "ongoing"],
    ["group_by=moon", "group_by"],
  ])("refuse %s", async (query, field) => {
    const [rejected = ""] = await app.rejected(`${count}?${query}`);
    expect(rejected.startsWith(field)).toBe(true);
  });
});
