import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import { type InternetOutageSchema, OutageSeverity } from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { text, time, unreadable } from "../../ingest/row-fields.ts";
import { type Parsed, type Rejection, readAs, readRow, type Source } from "../../ingest/source.ts";
import { type Country, countryOf } from "../../reference/countries/countries.ts";
import { dayMs } from "../../reference/duration.ts";
import { sourceTime } from "../../reference/source-time.ts";
import type { Upstream } from "../../upstream/upstream.ts";

type Outage = MessageInitShape<typeof InternetOutageSchema>;

const address = "https://api.cloudflare.com/client/v4/radar/annotations/outages";
const outageCenter = "https://radar.cloudflare.com/outage-center";
const pageSize = 100;
const maxPages = 50;
const ttlMs = 400 * dayMs;

/** The outages that Cloudflare has annotated in the last twelve weeks. An empty list is valid. */
export const cloudflareRadar: Source<Outage> = {
  name: "cloudflare-radar",
  license: { kind: "non-commercial", publisher: "Cloudflare Radar", terms: "CC BY-NC 4.0, Cloudflare Radar" },
  variables: ["CLOUDFLARE_API_TOKEN"],
  access: {
    signUp: "https://dash.cloudflare.com/profile/api-tokens",
    minutes: 5,
    cost: "free for non-commercial use",
    quota: "1,200 requests in five minutes",
    terms: "https://radar.cloudflare.com/about",
    rejection: "The token is wrong or lacks access to Radar.",
  },
  rows: { atLeast: 0, mayBeEmpty: true },
  fetch: fetchPages,
  parse: parsePages,
  // The twelve weeks begin at the current hour of their first day, so that day may be incomplete.
  covers: { days: 12 * 7 - 1 },
  observedAt: ({ detectedAt = 0n }) => Number(detectedAt),
  remember: {
    key: ({ id = "" }) => id,
    upstreamId: ({ id = "" }) => id.slice("cf-".length, -"-xx".length),
    retains: ({ detectedAt = 0n }, now) => Number(detectedAt) >= now.getTime() - ttlMs,
  },
};

async function fetchPages(upstream: Upstream): Promise<unknown> {
  const headers = { authorization: `Bearer ${upstream.variable("CLOUDFLARE_API_TOKEN")}` };
  const pages: unknown[] = [];
  while (pages.length < maxPages) {
    const query = new URLSearchParams({
      dateRange: "12w",
      limit: String(pageSize),
      offset: String(pages.length * pageSize),
    });
    const page = await upstream.json({ url: `${address}?${query}`, headers });
    pages.push(page);
    if (annotations(page).length < pageSize) return pages;
  }
  throw new UpstreamError(`Cloudflare Radar still has outages after ${maxPages} pages`);
}

const pageSchema = z.object({
  success: z.literal(true),
  errors: z.array(z.unknown()).max(0).nullish(),
  configured: z.literal(true).optional(),
  result: z.object({ annotations: z.array(z.unknown()) }),
});

function annotations(page: unknown): readonly unknown[] {
  return readAs("Cloudflare Radar", pageSchema, page).result.annotations;
}

/** The end of the outage. 0 if the outage is ongoing. */
const endTime = text.transform((written, context) =>
  written === "" ? 0 : (sourceTime(written, "UTC") ?? unreadable(written, context)),
);
const coded = z.object({ code: z.string() });
const network = z.object({
  name: text,
  location: z.union([coded, z.array(coded)]).nullish(),
  locations: z.union([coded, z.array(coded)]).nullish(),
});

const annotationSchema = z
  .object({
    id: z.union([z.string().min(1), z.number()]),
    description: text,
    scope: text,
    startDate: time("UTC"),
    endDate: endTime,
    linkedUrl: text,
    locations: z.array(z.string()).nullish(),
    asnsDetails: z.array(network).nullish(),
    outage: z.object({ outageCause: text, outageType: text }).nullish(),
  })
  .refine(({ startDate, endDate }) => endDate === 0 || endDate >= startDate, {
    path: ["endDate"],
    message: "is before startDate",
  });

type Annotation = z.output<typeof annotationSchema>;

function parsePages(pages: unknown): Parsed<Outage> {
  const rows = new Map<string, Outage>();
  const rejected: Rejection[] = [];
  for (const [place, value] of z.array(z.unknown()).parse(pages).flatMap(annotations).entries()) {
    const read = readRow(annotationSchema, value, nameOf(value, place), rejected);
    if (!read) continue;
    const codes = countryCodes(read);
    if (codes.length === 0) rejected.push({ row: String(read.id), reason: "names no country" });
    for (const code of codes) {
      const country = countryOf(code);
      const id = `cf-${read.id}-${(country?.alpha2 ?? code).toLowerCase()}`;
      if (country) rows.set(id, outage(id, read, country));
      else rejected.push({ row: String(read.id), reason: `${code} is not a country` });
    }
  }
  return { rows: [...rows.values()], rejected, complete: true };
}

function nameOf(value: unknown, place: number): string {
  const named = z.object({ id: z.union([z.string(), z.number()]) }).safeParse(value);
  return named.success ? String(named.data.id) : `#${place}`;
}

/** Returns the countries of an outage. If it names none, the countries of the affected networks are used. */
function countryCodes({ locations, asnsDetails }: Annotation): readonly string[] {
  const named = locations?.length
    ? locations
    : (asnsDetails ?? []).flatMap((network) =>
        [network.locations ?? [], network.location ?? []].flat(2).map(({ code }) => code),
      );
  return [...new Set(named.map((code) => code.trim().toUpperCase()))];
}

function outage(id: string, annotation: Annotation, country: Country): Outage {
  const { scope, linkedUrl, asnsDetails } = annotation;
  const { outageCause, outageType } = annotation.outage ?? { outageCause: "", outageType: "" };
  const networks = (asnsDetails ?? []).slice(0, 2).map(({ name }) => name);
  return {
    id,
    title:
      scope && scope !== country.name ? `${scope} outage in ${country.name}` : `Internet disruption in ${country.name}`,
    link: /^https?:\/\//i.test(linkedUrl) ? linkedUrl : outageCenter,
    description: annotation.description,
    detectedAt: BigInt(annotation.startDate),
    country: country.alpha2,
    region: outageType === "REGIONAL" ? scope : "",
    location: { latitude: country.latitude, longitude: country.longitude },
    severity: severities.get(outageType) ?? OutageSeverity.PARTIAL,
    categories: ["Cloudflare Radar", outageCause.replaceAll("_", " "), outageType, ...networks].filter(Boolean),
    cause: outageCause,
    outageType,
    endedAt: BigInt(annotation.endDate),
  };
}

const severities = new Map([
  ["NATIONWIDE", OutageSeverity.TOTAL],
  ["REGIONAL", OutageSeverity.MAJOR],
]);
