import { createHash } from "node:crypto";
import { zstdDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { startApp, testTime } from "../../support/app.ts";
import { openLoaded } from "../../support/loaded.ts";

/** The figures of one read of a source by a name, as a plain walk over its bytes finds them. */
type Figures = ReadonlyMap<string, number>;

interface Explained {
  readonly source: string;
  readonly series: string;
  readonly period: string;
  readonly value: number;
  readonly sourceDigest: string;
}

interface Report {
  readonly source: string;
  readonly id: string;
  readonly location: { readonly latitude: number; readonly longitude: number };
  readonly deathsBest?: number;
  readonly deathsLow?: number;
  readonly deathsHigh?: number;
}

/** The IMF has codes of its own for Palestine and Kosovo. */
const imfCodes: Readonly<Record<string, string>> = { WBG: "PSE", UVK: "XKX" };

/** Each reads one response without code of the service, and names its figures `series country period`. */
const readers: Readonly<Record<string, (body: unknown) => Iterable<readonly [name: string, value: number]>>> = {
  *"imf-datamapper"(body) {
    const { values } = body as { values: Record<string, Record<string, Record<string, number>>> };
    for (const [series, countries] of Object.entries(values))
      for (const [country, years] of Object.entries(countries ?? {}))
        for (const [year, value] of Object.entries(years ?? {}))
          yield [`${series} ${imfCodes[country] ?? country} ${year}`, value];
  },
  *"world-bank-development"(body) {
    const [, rows = []] = body as [unknown, WorldBankRow[]];
    for (const { indicator, countryiso3code, date, value } of rows)
      if (indicator && value !== null) yield [`${indicator.id} ${countryiso3code} ${date}`, value];
  },
};

interface WorldBankRow {
  /** Absent in the list of countries. */
  readonly indicator?: { readonly id: string };
  readonly country?: { readonly id: string };
  readonly countryiso3code: string;
  readonly date: string;
  readonly value: number | null;
}

/** Returns the bodies of a source's last read, after comparing each with its digest. */
async function bodiesOf({ query }: Database, source: string): Promise<{ digest: string; bodies: unknown[] }> {
  const { rows } = await query(
    `select sha256, body from source_response join source_body using (sha256)
    where source = $1 and (dataset, generation) = (
      select dataset, generation from source_read where source = $1 order by at desc limit 1) order by position`,
    [source],
  );
  const texts = (rows as { sha256: string; body: Buffer }[]).map(({ sha256, body }) => {
    const bytes = zstdDecompressSync(body);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
    return { sha256, text: bytes.toString() };
  });
  const digest = createHash("sha256")
    .update(texts.map(({ sha256 }) => `${sha256}\n`).join(""))
    .digest("hex");
  return { digest, bodies: texts.map(({ text }) => JSON.parse(text)) };
}

function explainedIn(value: unknown): Explained[] {
  if (Array.isArray(value)) return value.flatMap(explainedIn);
  if (typeof value !== "object" || value === null) return [];
  const own = "sourceDigest" in value && "series" in value ? [value as Explained] : [];
  return [...own, ...Object.values(value).flatMap(explainedIn)];
}

test("10,000 figures of responses are in the bytes of the sources that they name", async () => {
  const database = await openLoaded();
  const app = await startApp(database, { now: new Date(testTime.getTime() + 60_000) });
  const known = new Map<string, { digest: string; figures: Figures }>();
  const alpha3 = new Map<string, string>();
  for (const [source, read] of Object.entries(readers)) {
    const { digest, bodies } = await bodiesOf(database, source);
    known.set(source, { digest, figures: new Map(bodies.flatMap((body) => [...read(body)])) });
    if (source === "world-bank-development")
      for (const [, rows = []] of bodies as [unknown, WorldBankRow[]][])
        for (const { country, countryiso3code } of rows) if (country) alpha3.set(country.id, countryiso3code);
  }
  let compared = 0;
  const different: string[] = [];
  const compare = (name: string, published: number | undefined, stored: number | undefined) => {
    if (published === undefined && stored === undefined) return;
    compared += 1;
    if (published !== stored) different.push(`${name}: ${published} instead of ${stored}`);
  };
  for (const [alpha2, code] of alpha3) {
    const response = await app.get(`/api/resilience/v1/get-resilience-score-explanation?country_code=${alpha2}`);
    if (response.status !== 200) continue;
    const distinct = new Map(
      explainedIn(await response.json()).map((input) => [`${input.source} ${input.series} ${input.period}`, input]),
    );
    for (const { source, series, period, value, sourceDigest } of distinct.values()) {
      const bytes = known.get(source);
      if (!bytes) continue;
      expect(sourceDigest).toBe(bytes.digest);
      compare(`${series} ${code} ${period}`, value, bytes.figures.get(`${series} ${code} ${period}`));
    }
  }
  const ofInputs = compared;
  const events = new Map<string, Record<string, string | number | null>>();
  for (const body of (await bodiesOf(database, "ucdp")).bodies)
    for (const row of (body as { Result?: Record<string, number>[] }).Result ?? []) events.set(`ucdp ${row.id}`, row);
  for (const body of (await bodiesOf(database, "acled")).bodies)
    for (const row of (body as { data?: Record<string, string>[] }).data ?? [])
      events.set(`acled ${row.event_id_cnty}`, row);
  const numberOf = (value: string | number | null | undefined) =>
    value === undefined || value === null || value === "" ? undefined : Number(value);
  let after = "";
  do {
    const page = await app.json<{ events: { reports: Report[] }[]; nextAfter: string }>(
      `/api/conflict/v1/list-conflict-events?start=2020-01-01&limit=1000&after=${after}`,
    );
    for (const { source, id, ...report } of page.events.flatMap(({ reports }) => reports)) {
      const row = events.get(`${source} ${id}`);
      expect(row, `${source} ${id}`).toBeDefined();
      compare(`${id} latitude`, report.location.latitude, numberOf(row?.latitude));
      compare(`${id} longitude`, report.location.longitude, numberOf(row?.longitude));
      compare(`${id} best`, report.deathsBest, numberOf(row?.best ?? row?.fatalities));
      compare(`${id} low`, report.deathsLow, numberOf(row?.low));
      compare(`${id} high`, report.deathsHigh, numberOf(row?.high));
    }
    after = page.nextAfter;
  } while (after !== "");
  console.log(`${compared} figures compared: ${ofInputs} inputs of scores, ${compared - ofInputs} of conflict reports`);
  expect(different.slice(0, 20)).toEqual([]);
  expect(compared).toBeGreaterThan(10_000);
  await app[Symbol.asyncDispose]();
  await database.close();
});
