import type { MessageInitShape } from "@bufbuild/protobuf";
import { EconomicService } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import {
  GetEuHousingCycleResponseSchema,
  GetEuIndustrialProductionResponseSchema,
  GetEuQuarterlyGovDebtResponseSchema,
} from "../../../../gen/es/ids/economic/v1/eu_indicators_pb.ts";
import { EuIndicatorRowSchema } from "../../../../gen/es/ids/stored/v1/country_figures_pb.ts";
import { readSeries, requestSeries } from "../../../ingest/series-responses.ts";
import { snapshot } from "../../../ingest/snapshot.ts";
import type { Parsed, Rejection, Source } from "../../../ingest/source.ts";
import { eurostatMetadata, fetchEurostat } from "../../../providers/eurostat/eurostat.ts";
import { type Cell, cellsOf } from "../../../providers/eurostat/json-stat.ts";
import { rounded } from "../../../reference/rounding.ts";
import { groups, type IndicatorTerms, indicatorOf, members, newestCode } from "./eu-indicator.ts";

type IndicatorRow = MessageInitShape<typeof EuIndicatorRowSchema>;

const membersInBatch = 4;
const aggregates = "aggregates";

const batches = new Map<string, Readonly<Record<string, string | readonly string[]>>>([
  ...Array.from({ length: Math.ceil(members.length / membersInBatch) }, (_, place) => {
    const geo = members.slice(place * membersInBatch, (place + 1) * membersInBatch);
    return [geo.join(), { geo }] as const;
  }),
  [aggregates, { geoLevel: "aggregate" }],
]);

function isAggregate(geo: string): boolean {
  return geo.length > 2 || geo === "EA" || geo === "EU";
}

function batchOf(geo: string): string {
  if (isAggregate(geo)) return aggregates;
  return [...batches.keys()].find((batch) => batch.split(",").includes(geo)) ?? "";
}

/** How Eurostat writes a period, by frequency. `first` is added to the first requested year. */
const periods = {
  A: { written: /^\d{4}$/, first: "" },
  Q: { written: /^\d{4}-Q[1-4]$/, first: "-Q1" },
  M: { written: /^\d{4}-(0[1-9]|1[0-2])$/, first: "-01" },
} as const;

export function eurostatIndicator(terms: IndicatorTerms): Source<IndicatorRow> {
  const { name, table, unit, places, frequency, yearsBack, minGeos } = terms;
  return {
    name,
    ...eurostatMetadata,
    rows: { atLeast: minGeos, mayBeEmpty: false },
    fetch(upstream) {
      const sinceTimePeriod = `${upstream.now.getUTCFullYear() - yearsBack}${periods[frequency].first}`;
      return requestSeries("Eurostat", [...batches.keys()], (batch) => {
        const which = batches.get(batch) ?? {};
        return fetchEurostat(upstream, table, { ...which, unit, ...places, sinceTimePeriod });
      });
    },
    parse: (response, now) => parseBatches(terms, response, now),
    partOf: ({ id = "" }) => batchOf(id),
    observedAt: ({ points = [] }) => startOf(points.at(-1)?.date ?? ""),
  };
}

function parseBatches(terms: IndicatorTerms, response: unknown, now: Date): Parsed<IndicatorRow> {
  const rejected: Rejection[] = [];
  const byGeo = new Map<string, Map<string, number>>();
  const read = readSeries<Cell>("Eurostat", response, ({ series, answer: batch }) => {
    const rows = cellsOf("Eurostat", batch);
    return {
      rows,
      rejected: [],
      missing: rows.length > 0 ? [] : [{ part: series, reason: "no values were returned" }],
    };
  });
  const codes = new Set(read.rows.map(({ at }) => at.geo ?? ""));
  const newest = groups.flatMap((group) => newestCode(group, codes) ?? []);
  for (const cell of read.rows) {
    const { geo = "", time = "" } = cell.at;
    // The response contains all groups of countries. Groups other than the newest euro area and European Union are
    // skipped.
    if (!newest.includes(geo) && isAggregate(geo)) continue;
    const values = byGeo.get(geo) ?? new Map<string, number>();
    const reason = reasonAgainst(terms, cell, now) ?? (values.has(time) ? "occurs twice" : undefined);
    if (reason !== undefined) rejected.push({ row: `${geo} ${time}`, reason });
    else byGeo.set(geo, values.set(time, rounded(cell.value, 2)));
  }
  const rows = Array.from(byGeo, ([id, parsed]) => {
    const points = Array.from(parsed, ([date, value]) => ({ date, value }));
    return { id, points: points.sort((a, b) => (a.date < b.date ? -1 : 1)).slice(-terms.points) };
  });
  return { rows: rows.sort(byPlace), rejected: [...read.rejected, ...rejected], missing: read.missing };
}

function byPlace({ id: a }: { readonly id: string }, { id: b }: { readonly id: string }): number {
  const place = (id: string) =>
    isAggregate(id) ? members.length + groups.findIndex((one) => one.test(id)) : members.indexOf(id);
  return place(a) - place(b);
}

function reasonAgainst({ unit, places, frequency }: IndicatorTerms, { at }: Cell, now: Date): string | undefined {
  const { geo = "", time = "" } = at;
  if (!members.includes(geo) && !isAggregate(geo)) return "is of a place that was not requested";
  for (const [dimension, code] of Object.entries({ unit, ...places }))
    if (at[dimension] !== code) return `is of ${dimension} ${at[dimension]}, not of ${code}`;
  if (!periods[frequency].written.test(time)) return "has a period of another format";
  return startOf(time) > now.getTime() ? "is of a period that has not begun" : undefined;
}

/** Returns the start of a year, quarter, or month in Unix epoch milliseconds. */
function startOf(period: string): number {
  const [year, part = "1"] = period.split("-");
  const month = part.startsWith("Q") ? 3 * (Number(part.slice(1)) - 1) : Number(part) - 1;
  return Date.UTC(Number(year), month);
}

export const housePrices: IndicatorTerms = {
  name: "eurostat-house-prices",
  table: "prc_hpi_a",
  label: "House price index, annual average (2015 = 100)",
  unit: "I15_A_AVG",
  places: { purchase: "TOTAL" },
  frequency: "A",
  points: 10,
  yearsBack: 13,
  minGeos: 24,
};

export const euHousingCycle = snapshot({
  name: "eu-housing-cycle",
  subject: "House price index of European countries.",
  notIncluded: ["house prices in euros, rents: an index by year"],
  row: EuIndicatorRowSchema,
  message: GetEuHousingCycleResponseSchema,
  // The scheduled run follows Eurostat's publication at 11:00 in Luxembourg.
  schedule: "25 10 * * *",
  freshForMinutes: 50 * 24 * 60,
  serves: [EconomicService.method.getEuHousingCycle],
  sources: [eurostatIndicator(housePrices)],
  combine: (refresh) => ({ data: { housePrices: indicatorOf(housePrices, refresh) } }),
  count: ({ data }) => Object.keys(data?.housePrices?.countries ?? {}).length,
});

export const govDebt: IndicatorTerms = {
  name: "eurostat-gov-debt",
  table: "gov_10q_ggdebt",
  label: "Gross debt of the general government (percent of GDP)",
  unit: "PC_GDP",
  places: { sector: "S13", na_item: "GD" },
  frequency: "Q",
  points: 8,
  yearsBack: 4,
  minGeos: 24,
};

export const euQuarterlyGovDebt = snapshot({
  name: "eu-quarterly-gov-debt",
  subject: "Quarterly government debt of European countries, as a share of GDP.",
  row: EuIndicatorRowSchema,
  message: GetEuQuarterlyGovDebtResponseSchema,
  // The scheduled run follows Eurostat's publication at 11:00 in Luxembourg.
  schedule: "30 10 * * *",
  freshForMinutes: 14 * 24 * 60,
  serves: [EconomicService.method.getEuQuarterlyGovDebt],
  sources: [eurostatIndicator(govDebt)],
  combine: (refresh) => ({ data: { govDebtQ: indicatorOf(govDebt, refresh) } }),
  count: ({ data }) => Object.keys(data?.govDebtQ?.countries ?? {}).length,
});

export const industrialProduction: IndicatorTerms = {
  name: "eurostat-industrial-production",
  table: "sts_inpr_m",
  label: "Industrial production without construction, seasonally and calendar adjusted (2021 = 100)",
  unit: "I21",
  places: { s_adj: "SCA", nace_r2: "B-D" },
  frequency: "M",
  points: 12,
  yearsBack: 3,
  minGeos: 22,
};

export const euIndustrialProduction = snapshot({
  name: "eu-industrial-production",
  subject: "Monthly industrial production index of European countries.",
  row: EuIndicatorRowSchema,
  message: GetEuIndustrialProductionResponseSchema,
  // One of the scheduled runs follows Eurostat's publication at 11:00 in Luxembourg.
  schedule: "35 10,22 * * *",
  freshForMinutes: 5 * 24 * 60,
  serves: [EconomicService.method.getEuIndustrialProduction],
  sources: [eurostatIndicator(industrialProduction)],
  combine: (refresh) => ({ data: { industrialProduction: indicatorOf(industrialProduction, refresh) } }),
  count: ({ data }) => Object.keys(data?.industrialProduction?.countries ?? {}).length,
});
