import type { MessageInitShape } from "@bufbuild/protobuf";
import { type MineralFigure, MineralFigureSchema } from "../../../../gen/es/ids/stored/v1/minerals_pb.ts";
import {
  type GetMineralProductionResponse,
  GetMineralProductionResponseSchema,
  type MineralCommoditySchema,
  type MineralProducerSchema,
  type MineralStageSchema,
} from "../../../../gen/es/ids/supply_chain/v1/mineral_production_pb.ts";
import { SupplyChainService } from "../../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import type { Refresh } from "../../../ingest/dataset.ts";
import { snapshot } from "../../../ingest/snapshot.ts";
import { dayMs } from "../../../reference/duration.ts";
import { rounded } from "../../../reference/rounding.ts";
import { total } from "../../../reference/sums.ts";
import type { Commodity } from "../../../reference/trade/commodities.ts";
import { bgs } from "./bgs.ts";
import { minerals, stages } from "./minerals.ts";
import { usgsMcs } from "./usgs-mcs.ts";

const scales: Readonly<Record<string, number>> = { thousand: 1_000, million: 1_000_000 };
/** The factor from each unit of mass to metric tons. */
const masses: Readonly<Record<string, number>> = { "metric ton": 1, tonne: 1, kilogram: 0.001 };

/** Returns the factor that converts one unit to another. Undefined if they are not comparable. */
export function factorBetween(from: string, to: string): number | undefined {
  const [a, b] = [tonnesOf(from), tonnesOf(to)];
  return a === undefined || b === undefined ? undefined : a / b;
}

/** Returns the unit in metric tons. Text in brackets names the measured substance, as in `tonnes (metal content)`. */
function tonnesOf(unit: string): number | undefined {
  const [, scale, mass = ""] = /^(thousand|million)? ?(metric ton|tonne|kilogram)s?$/.exec(plain(unit)) ?? [];
  const tonnes = masses[mass];
  return tonnes === undefined ? undefined : tonnes * (scale === undefined ? 1 : (scales[scale] ?? 1));
}

function plain(unit: string): string {
  return unit
    .replace(/\(.*\)/, "")
    .trim()
    .toLowerCase();
}

type Stage = MessageInitShape<typeof MineralStageSchema>;
type Producer = MessageInitShape<typeof MineralProducerSchema>;

interface SourceFigures {
  readonly source: string;
  readonly figures: readonly MineralFigure[];
}

/** Combines the sources of a stage. Shares and concentration are those of the first source. Others add countries. */
export function stageOf(bySource: readonly SourceFigures[]): Stage | undefined {
  const [first, ...others] = bySource.filter(({ figures }) => figures.length > 0);
  if (!first) return undefined;
  const figures = ofNewestYear(first.figures);
  const named = figures.filter(({ worldTotal }) => !worldTotal);
  const producers = withShares(producersOf({ ...first, figures: named }));
  const worldTotal = figures.find((figure) => figure.worldTotal)?.output;
  const { unit = "", year = 0 } = figures[0] ?? {};
  const added = [...producers];
  for (const other of others) added.push(...missingProducers(added, other, unit));
  return {
    available: producers.some(({ hasOutput }) => hasOutput),
    year,
    unit,
    source: first.source,
    countries: added.sort(byOutput),
    hhi: concentration(producers),
    ...(worldTotal !== undefined && { worldTotal }),
    withheldCount: named.filter(({ withheld }) => withheld).length,
  };
}

/** Returns the rows of the newest year with a known output, or of the newest year if no output is known. */
function ofNewestYear(figures: readonly MineralFigure[]): readonly MineralFigure[] {
  const known = figures.filter(({ output, worldTotal }) => output !== undefined && !worldTotal);
  const newest = Math.max(...(known.length > 0 ? known : figures).map(({ year }) => year));
  return figures.filter(({ year }) => year === newest);
}

/** Adds a country's rows, because it has one row per field of helium. If one output is unknown, so is the sum. */
function producersOf({ source, figures }: SourceFigures): Producer[] {
  const byCountry = Map.groupBy(figures, ({ iso2, country, residual }) => (residual ? "" : iso2 || country));
  return [...byCountry.values()].map((parts) => {
    const known = parts.flatMap(({ output }) => output ?? []);
    const hasOutput = known.length === parts.length;
    const [{ iso2, country, year, residual } = {}] = parts;
    return {
      iso2: iso2 ?? "",
      country: country ?? "",
      year: year ?? 0,
      residual: residual ?? false,
      source,
      hasOutput,
      ...(hasOutput && { output: total(known) }),
      withheld: parts.some((part) => part.withheld),
      estimated: parts.some((part) => part.estimated),
    };
  });
}

/**
 * Sets the share of each producer in the world's output. The outputs are summed, because the published total is
 * rounded.
 */
function withShares(producers: readonly Producer[]): Producer[] {
  const worldOutput = total(producers.flatMap(({ output }) => output ?? []));
  return producers.map((producer) =>
    producer.output === undefined || worldOutput === 0
      ? producer
      : { ...producer, share: rounded((100 * producer.output) / worldOutput, 4) },
  );
}

/** Returns the Herfindahl index of producers. It is computed from outputs, because the shares are rounded. */
function concentration(producers: readonly Producer[]): number {
  const worldOutput = total(producers.flatMap(({ output }) => output ?? []));
  if (worldOutput === 0) return 0;
  const named = producers.filter(({ residual }) => !residual);
  return rounded(total(named.map(({ output = 0 }) => ((100 * output) / worldOutput) ** 2)), 2);
}

/** Returns producers that the first source lacks. If its unit cannot be converted, none are returned. */
function missingProducers(known: readonly Producer[], { source, figures }: SourceFigures, unit: string): Producer[] {
  const codes = new Set(known.map(({ iso2 }) => iso2));
  const candidates = ofNewestYear(figures).filter(({ iso2 }) => iso2 !== "" && !codes.has(iso2));
  const factor = factorBetween(candidates[0]?.unit ?? "", unit);
  if (factor === undefined) return [];
  return producersOf({ source, figures: candidates }).flatMap((producer) =>
    producer.output === undefined ? [] : [{ ...producer, output: rounded(producer.output * factor, 6) }],
  );
}

function byOutput(a: Producer, b: Producer): number {
  const order = (b.output ?? -1) - (a.output ?? -1);
  if (order !== 0) return order;
  return (a.country ?? "") < (b.country ?? "") ? -1 : 1;
}

type Production = MessageInitShape<typeof GetMineralProductionResponseSchema>;

const staleAfterMs = 400 * dayMs;
const minFilled = 0.7;

export const mineralProduction = snapshot({
  name: "mineral-production",
  subject: "Annual mining and refining of critical minerals, by country.",
  notIncluded: [
    "mineral prices, lithium prices, copper prices, production of single mines: annual output of countries",
    "refining of rare earths, refining of lithium, refining of graphite: mine production of countries",
  ],
  row: MineralFigureSchema,
  message: GetMineralProductionResponseSchema,
  // Both sources publish once a year, but in different months, so they are read every month.
  schedule: "40 5 3 * *",
  freshForMinutes: staleAfterMs / 60_000,
  // The data stays valid for two years, because a new edition appears each year.
  servableForMinutes: 2 * 366 * 24 * 60,
  serves: [SupplyChainService.method.getMineralProduction],
  sources: [usgsMcs, bgs],
  combine: productionOf,
  count: ({ commodities }) => commodities.length,
});

function productionOf({ bySource, responses, origin }: Refresh<typeof MineralFigureSchema>): Production {
  const sources = [usgsMcs, bgs].map(({ name }) => ({ source: name, figures: bySource.get(name) ?? [] }));
  const commodities = minerals.flatMap((mineral) => commodityOf(mineral, sources));
  if (origin === "live" && commodities.length < minFilled * minerals.length)
    throw new UpstreamError(`only ${commodities.length} of ${minerals.length} minerals have values`);
  const readAt = Math.min(...[...responses.values()].map(({ fetchedAt }) => fetchedAt.getTime()));
  return {
    commodities,
    fetchedAt: new Date(readAt).toISOString(),
    dataYear: Math.max(...commodities.map(({ year = 0 }) => year), 0),
  };
}

function commodityOf({ id, name }: Commodity, sources: readonly SourceFigures[]) {
  const [mine, refinery] = stages.map((stage) =>
    stageOf(
      sources.map(({ source, figures }) => ({
        source,
        figures: figures.filter((figure: MineralFigure) => figure.commodityId === id && figure.stage === stage),
      })),
    ),
  );
  const knownStages = [mine, refinery].flatMap((stage) => stage ?? []);
  if (knownStages.length === 0) return [];
  const named = new Set(knownStages.flatMap(({ countries = [] }) => countries.map(({ source }) => source)));
  const commodity: MessageInitShape<typeof MineralCommoditySchema> = {
    commodityId: id,
    commodity: name,
    unit: knownStages[0]?.unit ?? "",
    year: Math.max(...knownStages.map(({ year = 0 }) => year)),
    sources: sources.map(({ source }) => source).filter((source) => named.has(source)),
    ...(mine && { mine }),
    ...(refinery && { refinery }),
  };
  return [commodity];
}

export function mineralProductionAt(stored: GetMineralProductionResponse, now: Date): GetMineralProductionResponse {
  return { ...stored, upstreamUnavailable: now.getTime() - Date.parse(stored.fetchedAt) > staleAfterMs };
}
