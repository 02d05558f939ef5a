import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fetchMentions, parseMentions } from "../../../../src/domains/intelligence/companies/hacker-news.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { sampleUpstream } from "../../../../src/upstream/sample/sample.ts";

const captured = new URL("../../../../../shared/upstream/hn-algolia/search_by_date.json", import.meta.url);

const hit = {
  ...{ objectID: "45100200", title: "Acme publishes its build cache", url: "https://blog.example/cache" },
  ...{ points: 214, num_comments: 87, created_at_i: 1_794_997_800, created_at: "2026-11-18T10:30:00Z" },
  ...{ author: "tmarsh", _tags: ["story", "author_tmarsh", "story_45100200"] },
};
const parse = (...overs: readonly object[]) => parseMentions({ hits: overs.map((over) => ({ ...hit, ...over })) });

test("a story has its votes, comments, and time", () => {
  expect(parse({})).toEqual([
    {
      ...{ title: "Acme publishes its build cache", url: "https://blog.example/cache", points: 214, comments: 87 },
      createdAtMs: 1_794_997_800_000n,
    },
  ]);
});

test.each([undefined, null, "", "javascript:alert(1)", "https://me:pw@blog.example/"])(
  "a story whose link is %j leads to its own page",
  (url) => {
    expect(parse({ url })[0]?.url).toBe("https://news.ycombinator.com/item?id=45100200");
  },
);

test("stories come newest first, at most five, and missing votes are none", () => {
  const stories = parse(
    ...[3, 1, 6, 2, 5, 4].map((created_at_i) => ({ created_at_i, points: null, num_comments: null })),
  );
  expect(stories.map(({ createdAtMs }) => createdAtMs)).toEqual([6000n, 5000n, 4000n, 3000n, 2000n]);
  expect(stories[0]).toMatchObject({ points: 0, comments: 0 });
});

test("no hit is not a story, and hits of another format throw", () => {
  expect(parseMentions({ hits: [] })).toEqual([]);
  for (const response of [null, [], "<html>", {}, { hits: {} }, { hits: [{ ...hit, objectID: 7 }] }])
    expect(() => parseMentions(response)).toThrow(UpstreamError);
});

test("the sample's stories have the company's name in their titles, and other companies have none", async () => {
  const upstream = sampleUpstream("hn-algolia", () => new Date("2026-12-20T09:00:00Z"));
  const stories = await fetchMentions(upstream, "FJELLVIK CORP", {});
  expect(stories).toHaveLength(5);
  for (const { title, createdAtMs } of stories) {
    expect(title).toMatch(/fjellvik/i);
    expect(Number(createdAtMs)).toBeLessThan(Date.UTC(2026, 11, 20));
    expect(Number(createdAtMs)).toBeGreaterThan(Date.UTC(2026, 9, 20));
  }
  expect(await fetchMentions(upstream, "HARTELOW & CO", {})).toEqual([]);
});

test.skipIf(!existsSync(captured))("of the captured answer every story passes, and no comment", () => {
  const response = JSON.parse(readFileSync(captured, "utf8"));
  const stories = response.hits.filter(({ _tags }: { _tags: string[] }) => _tags.includes("story"));
  expect(stories.length).toBeGreaterThan(0);
  const titles = stories.flatMap((story: unknown) => parseMentions({ hits: [story] }).map(({ title }) => title));
  expect(titles).toEqual(stories.map(({ title }: { title: string }) => title.trim()));
  expect(parseMentions(response)).toHaveLength(Math.min(5, stories.length));
});
