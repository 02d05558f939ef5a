import { expect, test } from "vitest";
import { z } from "zod";
import { distanceKm } from "../../scripts/samples/world/distance.ts";
import { clocks, mean, played, storySources, weekdayOf, writtenFiles } from "./stories.ts";

/** Armies, police and governments: none of them is a party to anything here. */
const stateForces =
  /\b(military forces|armed forces|security forces|police|army|navy|air force|national guard|government|ministry of defen[cs]e|republican guard|junta)\b/i;
/** Armed organizations that exist, or did. */
const armedOrganizations =
  /\b(al.?qa[ei]da|al.?shabaab|azov brigade|black axe|boko haram|cjng|eln|farc|fdlr|hamas|hezbollah|hizbullah|houthis?|ansar allah|idf|irgc|isis|isil|iswap|islamic state|islamic jihad|janjaweed|jnim|lashkar|lord's resistance|lra|ltte|m23|mara salvatrucha|ms-13|naxalites?|new people's army|oromo liberation|pkk|pmc wagner|wagner group|quds force|rapid support forces|red army|rsf|sdf|sinaloa cartel|shining path|taliban|tatmadaw|tplf|ypg|zetas)\b/i;
const eventFolders = ["acled", "acled-unrest", "ucdp", "cloudflare-radar", "nga-warnings", "state-advisories"];

test.each(storySources)("%s names no real armed organization", (source) => {
  for (const { file, text } of writtenFiles(source)) expect(armedOrganizations.exec(text)?.[0], file).toBeUndefined();
});

test.each(eventFolders)("%s accuses no army, police or government", (source) => {
  for (const { file, text } of writtenFiles(source)) expect(stateForces.exec(text)?.[0], file).toBeUndefined();
});

test.each(["Military Forces of Example", "the Police", "Government of Example", "a Wagner Group", "Hamas"])(
  "%s would be found",
  (words) => {
    expect(stateForces.test(words) || armedOrganizations.test(words)).toBe(true);
  },
);

const acledSchema = z.object({
  data: z.array(
    z.object({
      event_date: z.string(),
      country: z.string(),
      actor1: z.string(),
      actor2: z.string(),
      notes: z.string(),
      source: z.string(),
      fatalities: z.coerce.number(),
    }),
  ),
});
const acledRows = (source: string, now: Date) =>
  writtenFiles(source)
    .filter(({ file }) => file !== "token.json")
    .flatMap(({ file }) => acledSchema.parse(JSON.parse(played(source, file, now))).data);
const ucdpSchema = z.object({
  Result: z.array(
    z.object({
      side_a: z.string(),
      side_b: z.string(),
      source_office: z.string(),
      date_start: z.string(),
      best: z.number(),
      low: z.number(),
      high: z.number(),
      deaths_a: z.number(),
      deaths_b: z.number(),
      deaths_civilians: z.number(),
    }),
  ),
});
const ucdpRows = (file: string, now: Date) => ucdpSchema.parse(JSON.parse(played("ucdp", file, now))).Result;
const [now = new Date()] = clocks;

test("every party to a conflict says that it is fictional, and every event that it was invented", () => {
  const party = /^(|.+ \(fictional\)|(Civilians|Protesters|Rioters)( \(.+\))?)$/;
  for (const source of ["acled", "acled-unrest"])
    for (const { actor1, actor2, notes, source: newsroom } of acledRows(source, now)) {
      expect(actor1).toMatch(party);
      expect(actor2).toMatch(party);
      expect(notes).toMatch(/Invented for a sample/);
      expect(newsroom).toMatch(/Example|Sample|Illustrative/);
    }
  for (const file of ["candidate.json", "annual.json"])
    for (const { side_a, side_b, source_office } of ucdpRows(file, now)) {
      expect(side_a).toMatch(party);
      expect(side_b).toMatch(party);
      expect(source_office).toBe("Example Agency");
    }
});

test("deaths are few, add up, and lie within their bounds", () => {
  const deaths = acledRows("acled", now).map(({ fatalities }) => fatalities);
  expect(Math.min(...deaths)).toBe(0);
  expect(Math.max(...deaths)).toBeLessThanOrEqual(60);
  expect(mean(deaths)).toBeLessThan(4);
  for (const row of ucdpRows("candidate.json", now)) {
    expect(row.deaths_a + row.deaths_b + row.deaths_civilians).toBe(row.best);
    expect(row.low).toBeLessThanOrEqual(row.best);
    expect(row.high).toBeGreaterThanOrEqual(row.best);
  }
});

const countsBy = <T>(items: readonly T[], key: (item: T) => string | number) =>
  new Map([...Map.groupBy(items, key)].map(([name, those]) => [name, those.length]));

test("few countries have most of the fighting, and many have protests", () => {
  const fighting = [...countsBy(acledRows("acled", now), ({ country }) => country).values()].sort((a, b) => b - a);
  expect(fighting.length).toBeGreaterThan(40);
  const topTen = fighting.slice(0, 10).reduce((sum, count) => sum + count, 0);
  expect(topTen / fighting.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0.4);
  expect(fighting[0]).toBeLessThan(150);
  expect(countsBy(acledRows("acled-unrest", now), ({ country }) => country).size).toBeGreaterThan(40);
});

const dated = (rows: readonly { event_date: string }[]) =>
  rows.filter(({ event_date }) => /^\d{4}-/.test(event_date)).map(({ event_date }) => event_date);

test.each(clocks)("events have the cycle of the week, and none is of days to come, at %s", (clock) => {
  const today = clock.toISOString().slice(0, 10);
  const fighting = dated(acledRows("acled", clock));
  const protests = dated(acledRows("acled-unrest", clock));
  for (const day of [...fighting, ...protests]) expect(day <= today, day).toBe(true);
  for (const { date_start } of ucdpRows("candidate.json", clock)) expect(date_start.slice(0, 10) <= today).toBe(true);
  const of = (days: string[], weekday: number) => countsBy(days, weekdayOf).get(weekday) ?? 0;
  expect(of(fighting, 6)).toBeLessThan(of(fighting, 3));
  expect(of(protests, 6)).toBeGreaterThan(of(protests, 1));
  expect(
    protests.toSorted((a, b) => b.localeCompare(a))[0]! > new Date(clock.getTime() - 7 * 86_400_000).toISOString(),
  ).toBe(true);
});

const timelineSchema = z.object({
  timeline: z.tuple([z.object({ data: z.array(z.object({ date: z.string(), value: z.number() })) })]),
});
const points = (source: string, file: string, clock: Date) =>
  timelineSchema.parse(JSON.parse(played(source, file, clock))).timeline[0].data.map(({ date, value }) => ({
    day: date.replace(/^(\d{4})(\d\d)(\d\d).*/, "$1-$2-$3"),
    value,
  }));
const isWeekend = (day: string) => [0, 6].includes(weekdayOf(day));

test.each(storySources.filter((source) => source.startsWith("gdelt-")))(
  "%s reaches up to the day at any clock, with fewer articles on weekends and no tone of 0",
  (source) => {
    for (const clock of clocks) {
      const volume = points(source, "volume.json", clock);
      expect(volume.at(-1)?.day).toBe(clock.toISOString().slice(0, 10));
      const [weekend, weekdays] = [true, false].map((wanted) =>
        mean(volume.filter(({ day }) => isWeekend(day) === wanted).map(({ value }) => value)),
      );
      expect((weekend ?? 1) / (weekdays ?? 1)).toBeLessThan(0.8);
      const tones = points(source, "tone.json", clock).map(({ value }) => value);
      expect(tones.every((tone) => Math.abs(tone) > 0.01 && Math.abs(tone) < 10)).toBe(true);
      expect(new Set(tones).size).toBeGreaterThan(tones.length * 0.9);
    }
  },
);

test("ships pass every day of the week, with slightly fewer on Sundays", () => {
  const schema = z.object({
    features: z.array(z.object({ attributes: z.object({ date: z.number(), n_total: z.number() }) })),
  });
  const rows = schema.parse(JSON.parse(played("portwatch", "malacca-strait.json", now))).features;
  const ships = (weekday: number) =>
    mean(rows.flatMap(({ attributes: { date, n_total } }) => (new Date(date).getUTCDay() === weekday ? n_total : [])));
  expect(ships(0) / ships(3)).toBeGreaterThan(0.7);
  expect(ships(0) / ships(3)).toBeLessThan(0.95);
});

test("an outage of several countries is of neighbors, and its text names each of them", () => {
  const schema = z.object({
    result: z.object({
      annotations: z.array(
        z.object({
          description: z.string(),
          scope: z.string().nullable(),
          locationsDetails: z.array(z.object({ code: z.string(), name: z.string() })),
        }),
      ),
    }),
  });
  const { annotations } = schema.parse(JSON.parse(played("cloudflare-radar", "outages.json", now))).result;
  const shared = annotations.filter(({ locationsDetails }) => locationsDetails.length > 1);
  expect(shared.length).toBeGreaterThan(2);
  for (const { description, scope, locationsDetails } of shared) {
    expect(scope).toBeNull();
    const [first = "", ...others] = locationsDetails.map(({ code }) => code);
    for (const other of others) expect(distanceKm(first, other), description).toBeLessThan(1600);
    for (const { name } of locationsDetails) expect(description).toContain(name);
  }
});

/** Targets of links in responses, other than reserved domains. */
const exceptions: Readonly<Record<string, readonly RegExp[]>> = {
  // Adapters take notices only on the hosts of their portals; what is served leads to example.org.
  "canada-buys": [/^canadabuys\.canada\.ca$/, /^www\.merx\.com$/, /^discovery\.ariba\.com$/],
  "contracts-finder": [
    /^www\.contractsfinder\.service\.gov\.uk$/,
    /^www\.nationalarchives\.gov\.uk$/,
    /^www\.gov\.uk$/,
  ],
  gets: [/^www\.gets\.govt\.nz$/],
  sam: [/^(api\.)?sam\.gov$/],
  ted: [/^ted\.europa\.eu$/],
  // What made the feed, and its own address.
  "dev-events": [/^dev\.events$/, /^validator\.w3\.org$/, /^github\.com$/],
  "usgs-earthquakes": [/^earthquake\.usgs\.gov$/],
};
const nobodys = /(^|\.)example(\.(org|com|net))?$/;
/** Names of formats, which lead nowhere. */
const namespaces = new Set(["www.w3.org", "purl.org"]);

test.each(storySources)("links of %s lead to reserved domains", (source) => {
  const allowed = exceptions[source] ?? [];
  for (const { file, text } of writtenFiles(source)) {
    const hosts = new Set(
      [...text.replaceAll("\r\n ", "").matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host = ""]) => host),
    );
    const real = [...hosts].filter(
      (host) => !nobodys.test(host) && !namespaces.has(host) && !allowed.some((one) => one.test(host)),
    );
    expect(real, file).toEqual([]);
  }
});

test.each(["cisa-advisories", "doj-press", "ec-press", "fda-press", "ftc-press"])(
  "every item of %s says that it is illustrative",
  (source) => {
    const titles = [...played(source, "feed.xml", now).matchAll(/<item>\s*<title>(?:<!\[CDATA\[)?([^<\]]+)/g)];
    expect(titles.length).toBeGreaterThan(10);
    for (const [, title] of titles) expect(title).toMatch(/^Illustrative: /);
  },
);
