import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { MineralFigureSchema } from "../../../../gen/es/ids/stored/v1/minerals_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { text } from "../../../ingest/row-fields.ts";
import { type Parsed, type Rejection, readAs, rejection, type Source } from "../../../ingest/source.ts";
import { countryByName, countryOf } from "../../../reference/countries/countries.ts";
import type { Upstream } from "../../../upstream/upstream.ts";
import { type Stage, stages } from "./minerals.ts";

type Figure = MessageInitShape<typeof MineralFigureSchema>;

const address = "https://ogcapi.bgs.ac.uk/collections/world-mineral-statistics/items";
/** The maximum page size. The server truncates larger pages. */
const pageSize = 500;
const maxPages = 20;

/** The source's names of the commodities. Only those measured by content are included, as in the data of the USGS. */
const names: Readonly<Record<string, Readonly<Partial<Record<Stage, string>>>>> = {
  cobalt: { mine: "cobalt, mine", refinery: "cobalt, refined" },
  copper: { mine: "copper, mine", refinery: "copper, refined" },
  nickel: { mine: "nickel, mine", refinery: "nickel, smelter/refinery" },
  graphite: { mine: "graphite" },
  tungsten: { mine: "tungsten, mine" },
  gallium: { refinery: "gallium, primary" },
  germanium: { refinery: "germanium metal" },
  aluminum: { refinery: "aluminium, primary" },
  bauxite: { mine: "bauxite" },
  alumina: { refinery: "alumina" },
  uranium: { mine: "uranium" },
};

const commodities = new Map(
  Object.entries(names).flatMap(([commodityId, byStage]) =>
    stages.flatMap((stage) => (byStage[stage] ? [[byStage[stage], { commodityId, stage }] as const] : [])),
  ),
);

/** BGS World Mineral Statistics. A response has all years of a commodity, of which the newest is stored. */
export const bgs: Source<Figure> = {
  name: "bgs",
  license: {
    kind: "restricted",
    publisher: "British Geological Survey",
    terms: "British Geological Survey © UKRI, World Mineral Statistics; redistribution needs permission",
  },
  access: {
    signUp: "https://ogcapi.bgs.ac.uk/",
    cost: "by agreement with the Survey",
    quota: "none published",
    terms: "https://www.bgs.ac.uk/mineralsuk/",
    rejection: "The service rejected the program or its address.",
  },
  // Fourteen commodities have 5 to 60 countries each.
  rows: { atLeast: 50, mayBeEmpty: false },
  fetch: fetchCommodities,
  parse,
  observedAt: ({ year = 0 }) => Date.UTC(year, 11, 31),
  reportsYears: true,
};

async function fetchCommodities(upstream: Upstream): Promise<unknown[]> {
  const features: unknown[] = [];
  for (const commodity of commodities.keys()) features.push(...(await fetchCommodity(upstream, commodity)));
  return features;
}

async function fetchCommodity(upstream: Upstream, commodity: string): Promise<unknown[]> {
  const features: unknown[] = [];
  for (let page = 0; page < maxPages; page++) {
    const query = new URLSearchParams({
      f: "json",
      bgs_statistic_type_trans: "Production",
      bgs_commodity_trans: commodity,
      limit: String(pageSize),
      offset: String(features.length),
    });
    const response = readPage(await upstream.json({ url: `${address}?${query}` }));
    features.push(...response.features);
    if (features.length >= response.numberMatched) return features;
    if (response.features.length === 0)
      throw new UpstreamError(`BGS sent ${features.length} of ${response.numberMatched} rows of ${commodity}`);
  }
  throw new UpstreamError(`BGS has more rows of ${commodity} than ${maxPages} pages`);
}

const pageSchema = z.object({
  type: z.literal("FeatureCollection"),
  numberMatched: z.int().min(0),
  features: z.array(z.unknown()),
});

function readPage(page: unknown): z.output<typeof pageSchema> {
  return readAs("BGS", pageSchema, page);
}

const propertiesSchema = z.object({
  bgs_commodity_trans: z.string(),
  bgs_statistic_type_trans: z.literal("Production"),
  country_trans: z.string().trim().min(1),
  country_iso2_code: text,
  year: z
    .string()
    .regex(/^\d{4}-/, "is not a day")
    .transform((day) => Number(day.slice(0, 4))),
  quantity: z.number().nullable(),
  units: z.string().trim().min(1),
  data_precision_description: text,
});
const featureSchema = z.object({ properties: propertiesSchema });

function parse(features: unknown): Parsed<Figure> {
  const figures: Figure[] = [];
  const rejected: Rejection[] = [];
  for (const [place, feature] of z.array(z.unknown()).parse(features).entries()) {
    const read = featureSchema.safeParse(feature);
    const figure = read.success ? figureOf(read.data.properties) : rejection("", read.error);
    if ("reason" in figure) rejected.push({ ...figure, row: nameOf(feature, place) });
    else figures.push(figure);
  }
  return { rows: newestYears(figures), rejected };
}

const namedSchema = z.object({ id: z.union([z.string(), z.number()]) });

function nameOf(feature: unknown, place: number): string {
  return String(namedSchema.safeParse(feature).data?.id ?? `#${place}`);
}

function figureOf(properties: z.output<typeof propertiesSchema>): Figure | Rejection {
  const { bgs_commodity_trans: name, country_trans: words, year, quantity, units } = properties;
  const commodity = commodities.get(name);
  if (!commodity) return { row: "", reason: `${JSON.stringify(name)} was not requested` };
  const known = countryOf(properties.country_iso2_code) ?? countryByName(words);
  return {
    ...commodity,
    year,
    unit: units,
    iso2: known?.alpha2 ?? "",
    country: known?.name ?? words,
    ...(quantity !== null && { output: quantity }),
    estimated: /estimate/i.test(properties.data_precision_description),
  };
}

function newestYears(figures: readonly Figure[]): Figure[] {
  const byStage = Map.groupBy(figures, ({ commodityId, stage }) => `${commodityId} ${stage}`);
  return [...byStage.values()].flatMap((rows) => {
    const newest = rows.reduce(
      (latest, { year = 0, output }) => (output === undefined ? latest : Math.max(latest, year)),
      0,
    );
    return rows.filter(({ year }) => year === newest);
  });
}
