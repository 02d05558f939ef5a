import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { gdeltSource, readTimeline, topics } from "../../../../src/domains/intelligence/topics/gdelt.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import { type VirtualResponse, virtualHosts } from "../../../upstream/virtual-hosts.ts";

const now = new Date("2026-11-18T12:00:00Z");
const folder = new URL("../../../../../shared/upstream/gdelt/", import.meta.url);
const captured = (name: string) => readFileSync(new URL(name, folder), "utf8");

type Points = readonly (readonly [date: string, value: number])[];
const body = (points: Points) =>
  JSON.stringify({
    query_details: { title: "x", date_resolution: "day" },
    timeline: [{ series: "s", data: points.map(([date, value]) => ({ date, value })) }],
  });
const cyber = gdeltSource(topics[1]!);
const parse = (tone: Points, articles: Points) => cyber.parse({ tone: body(tone), articles: body(articles) }, now);

test("days come as they are: one without a value has none, a tone of 0 is one, and that of no article is none", () => {
  const { rows } = parse(
    [
      ["20261101T000000Z", -1.23456],
      ["20261102T000000Z", 0],
      ["20261104T000000Z", 2],
      ["20261105T000000Z", 0],
    ],
    [
      ["20261101T000000Z", 120],
      ["20261102T000000Z", 7],
      ["20261103T000000Z", 80],
      ["20261105T000000Z", 0],
    ],
  );
  expect([...rows].sort((a, b) => ((a.date ?? "") < (b.date ?? "") ? -1 : 1))).toEqual([
    { date: "2026-11-01", tone: -1.2346, articles: 120 },
    { date: "2026-11-02", tone: 0, articles: 7 },
    { date: "2026-11-03", articles: 80 },
    { date: "2026-11-04", tone: 2 },
    { date: "2026-11-05", articles: 0 },
  ]);
});

test.each([
  ["no day of one series", 0, 60],
  ["no day of the other", 60, 0],
  ["no day at all", 0, 0],
  ["less than half of one", 29, 60],
  ["less than half of the other", 60, 29],
])("an answer with %s is a failure, as it would put nothing in the place of what is known", (_, tones, counts) => {
  const days = (many: number) =>
    Array.from({ length: many }, (__, day): [string, number] => {
      const date = new Date(Date.UTC(2026, 8, 1 + day)).toISOString();
      return [date.replace(/\.\d+|[-:]/g, ""), 1];
    });
  expect(() => parse(days(tones), days(counts))).toThrow(UpstreamError);
});

test("finer steps become UTC days: counts are summed, tones weighted by them", () => {
  const { rows } = parse(
    [
      ["20261101T230000Z", -4],
      ["20261101T234500Z", -1],
      ["20261102T000000Z", 3],
    ],
    [
      ["20261101T230000Z", 10],
      ["20261101T234500Z", 30],
      ["20261102T000000Z", 7],
    ],
  );
  expect(rows).toEqual([
    { date: "2026-11-01", tone: -1.75, articles: 40 },
    { date: "2026-11-02", tone: 3, articles: 7 },
  ]);
});

test("where no step's articles are counted every step weighs the same", () => {
  expect(
    parse(
      [
        ["20261101T000000Z", 1],
        ["20261101T010000Z", 2],
      ],
      [["20261101T020000Z", 30]],
    ).rows,
  ).toEqual([{ date: "2026-11-01", tone: 1.5, articles: 30 }]);
});

test("a day's tone lies between its steps' tones and its count is their sum, however the steps are cut", () => {
  const step = fc.record({
    minute: fc.integer({ min: 0, max: 3 * 96 - 1 }),
    tone: fc.double({ min: -20, max: 20, noNaN: true }),
    count: fc.integer({ min: 0, max: 5_000 }),
  });
  fc.assert(
    fc.property(fc.uniqueArray(step, { selector: ({ minute }) => minute, minLength: 1, maxLength: 80 }), (steps) => {
      const stamp = (quarter: number) =>
        new Date(Date.UTC(2026, 10, 1) + quarter * 900_000).toISOString().replace(/\.\d+|[-:]/g, "");
      const { rows } = parse(
        steps.map(({ minute, tone }) => [stamp(minute), tone]),
        steps.map(({ minute, count }) => [stamp(minute), count]),
      );
      for (const { date = "", tone, articles } of rows) {
        const own = steps.filter(({ minute }) => `2026-11-0${1 + Math.floor(minute / 96)}` === date);
        expect(articles).toBe(own.reduce((sum, { count }) => sum + count, 0));
        expect(tone === undefined).toBe(articles === 0);
        const reported = own.flatMap((each) => (each.count > 0 ? [each.tone] : []));
        expect(tone ?? 0).toBeGreaterThanOrEqual(Math.min(...(articles ? reported : [0])) - 1e-4);
        expect(tone ?? 0).toBeLessThanOrEqual(Math.max(...(articles ? reported : [0])) + 1e-4);
      }
    }),
  );
});

test("a point without an instant or a number is rejected, and named by its series' topic", () => {
  const { rows, rejected } = parse(
    [
      ["20261301T000000Z", 1],
      ["2026-13-01", 1],
      ["20261102T000000Z", "x" as never],
      ["20261103T000000Z", 1],
    ],
    [["20261103T000000Z", 5]],
  );
  expect(rows).toEqual([{ date: "2026-11-03", tone: 1, articles: 5 }]);
  expect(rejected.map(({ row }) => row)).toEqual(["cyber #0", "cyber #1", "cyber #2"]);
});

test.each([
  ["Please limit requests to one every 5 seconds", /too many requests/, 429],
  ["Timespan is too short.", /rejected the request: Timespan is too short\./, 400],
  ["The specified phrase is too short.", /rejected the request: The specified phrase/, 400],
  ["{}", /does not know/, 200],
  ["", /empty response/, 200],
  ["<html><body>Service Unavailable</body></html>", /HTML/, 200],
  ['{"timeline":[{"data":[{"date":"2026', /truncated response/, 200],
])("GDELT's response %j is not a timeline, and is reported with its cause", (text, words, status) => {
  const read = () => readTimeline(text);
  expect(read).toThrow(UpstreamError);
  expect(read).toThrow(words);
  expect(read).toThrow(expect.objectContaining({ status }));
});

test.each(["[]", "null", "7", '{"timeline":{}}', '{"timeline":[{"series":"x"}]}', '{"articles":[]}'])(
  "%s is a changed format",
  (text) => {
    expect(() => readTimeline(text)).toThrow(UpstreamError);
  },
);

test("an answer without a series holds no point", () => {
  expect(readTimeline('{"timeline":[]}')).toEqual({ points: [], rejected: [] });
});

/** Runs the requests of all topics at once. Returns their results and the seconds at which they were sent. */
function requested(response: (number: number) => VirtualResponse) {
  const { client, sent, run } = virtualHosts((_url, number) => ({ after: 1, ...response(number) }));
  const fetches = topics.map((topic) => {
    const source = gdeltSource(topic);
    return source.fetch(client({ pace: source.pace }));
  });
  return run(Promise.allSettled(fetches)).then((results) => ({ results, at: sent.map((one) => one.at) }));
}

test("the twelve requests of all topics are sent one after the other, 5.5 s after the last one's answer", async () => {
  const { results, at } = await requested(() => ({}));
  expect(results.every(({ status }) => status === "fulfilled")).toBe(true);
  expect(at).toEqual(Array.from({ length: 12 }, (_, place) => place * 6.5));
});

test.each([
  ["a 429 with Retry-After", { status: 429, headers: { "Retry-After": "30" } }, 30],
  ["a 429 without a word", { status: 429 }, 60],
  ["a sentence with a 200", { body: "Please limit requests to one every 5 seconds or contact us." }, 60],
])("after %s all topics wait, and the request is sent again", async (_what, rejection, wait) => {
  const { results, at } = await requested((number) => (number === 1 ? rejection : {}));
  expect(results.every(({ status }) => status === "fulfilled")).toBe(true);
  expect(at).toHaveLength(13);
  expect(at[1]).toBe(1 + wait);
});

test("GDELT receives no more requests if it demands hours, or rejects again after the minute", async () => {
  const hours = await requested((number) => (number === 3 ? { status: 429, headers: { "Retry-After": "7200" } } : {}));
  expect(hours.at).toHaveLength(3);
  const again = await requested((number) => (number > 2 ? { status: 429 } : {}));
  expect(again.at).toHaveLength(4);
  for (const { results } of [hours, again]) expect(results.every(({ status }) => status === "rejected")).toBe(true);
});

test("each topic is asked for in English, with phrases in quotes, for the same span", async () => {
  const urls: URL[] = [];
  await gdeltSource(topics[2]!).fetch({
    ...sampleUpstream("gdelt-nuclear", () => now),
    text: async ({ url }) => {
      urls.push(new URL(url));
      return "";
    },
  });
  const query = '("uranium enrichment" OR IAEA OR "nuclear warhead" OR "nuclear reactor") sourcelang:eng';
  expect(urls.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual(
    ["TimelineTone", "TimelineVolRaw"].map((mode) => ({ query, mode, format: "json", timespan: "90d" })),
  );
});

test.each(topics)(
  "the sample of $name has 60 days and more, gaps among them, and no tone of exactly 0",
  async (topic) => {
    const source = gdeltSource(topic);
    const name = `gdelt-${topic.name}`;
    const { rows, rejected } = source.parse(await source.fetch(sampleUpstream(name, () => now)), now);
    expect([rows.length, rejected]).toEqual([sampleIndex(name)?.rows, []]);
    expect(rows.length).toBeGreaterThanOrEqual(60);
    expect(rows.length).toBeLessThan(90);
    expect(rows.filter(({ tone }) => tone === 0)).toEqual([]);
    expect(rows.some(({ tone, articles }) => tone === undefined && articles !== undefined)).toBe(true);
    expect(
      [...rows]
        .map(({ date = "" }) => date)
        .sort((a, b) => a.localeCompare(b))
        .at(-1),
    ).toBe("2026-11-18");
  },
);

test.skipIf(!existsSync(folder))("captured timelines pass: every point of every step is read", () => {
  for (const file of readdirSync(folder).filter((name) => /^timeline.*\.json$/.test(name))) {
    const text = captured(file);
    const whole = file.endsWith(".points.json") ? `{"timeline":[{"series":"x","data":${text}}]}` : text;
    const count = JSON.parse(whole).timeline[0].data.length;
    const { points, rejected } = readTimeline(whole);
    expect([file, points.length, rejected]).toEqual([file, count, []]);
    expect(count).toBeGreaterThan(8);
  }
});

test.skipIf(!existsSync(folder))("captured steps of 15 minutes become two UTC days", () => {
  const { rows } = cyber.parse(
    { tone: captured("timelinetone-15m-oil-20260831.json"), articles: captured("timelinevol-15m-oil-20260831.json") },
    now,
  );
  expect(rows.map(({ date }) => date)).toEqual(["2026-08-31", "2026-09-01"]);
  expect(rows[1]).toEqual({ date: "2026-09-01", tone: -1.4819 });
  const [first] = rows;
  expect(first?.articles).toBeCloseTo(21.6794, 4);
  expect(first?.tone).toBeGreaterThan(-3.7304);
  expect(first?.tone).toBeLessThan(2.864);
});

test.skipIf(!existsSync(folder))("captured rejections are recognized", () => {
  expect(() => readTimeline(captured("rate-limit-429.txt"))).toThrow(/too many requests/);
  expect(() => readTimeline(captured("timespan-too-short-200.txt"))).toThrow(/Timespan is too short/);
  expect(() => readTimeline(captured("unknown-theme-200.json"))).toThrow(/does not know/);
  expect(() => readTimeline(captured("artlist_envelope.json"))).toThrow(UpstreamError);
});
