import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  DefenseIndicatorSchema,
  GetDefenseIndustrialBaseResponseSchema,
} from "../../../../gen/es/ids/military/v1/defense_industrial_base_pb.ts";
import { MilitaryService } from "../../../../gen/es/ids/military/v1/military_pb.ts";
import {
  type DefenseFigure,
  DefenseFigureSchema,
  type DefenseIndustrialBases,
  DefenseIndustrialBasesSchema,
} from "../../../../gen/es/ids/stored/v1/defense_pb.ts";
import type { Refresh } from "../../../ingest/dataset.ts";
import { snapshot } from "../../../ingest/snapshot.ts";
import { dayMs } from "../../../reference/duration.ts";
import { namesOf } from "../../../reference/named.ts";
import { armsSuppliers } from "./arms-suppliers.ts";
import { defenseIndicators, indicatorIds } from "./defense-indicators.ts";
import { supplierConcentration } from "./supplier-concentration.ts";

const staleAfterDays = 28;

type Answer = MessageInitShape<typeof GetDefenseIndustrialBaseResponseSchema>;
type Indicator = MessageInitShape<typeof DefenseIndicatorSchema>;

/** Military spending, manpower, arms trade and arms suppliers by country. */
export const defenseIndustrialBase = snapshot({
  name: "defense-industrial-base",
  subject: "Military spending, personnel, arms trade and arms suppliers of countries.",
  row: DefenseFigureSchema,
  message: DefenseIndustrialBasesSchema,
  schedule: "20 4 * * 1",
  freshForMinutes: staleAfterDays * 24 * 60,
  serves: [MilitaryService.method.getDefenseIndustrialBase],
  main: [defenseIndicators],
  sources: [defenseIndicators, armsSuppliers],
  combine: basesOf,
  count: ({ bases }) => bases.length,
});

function basesOf({
  bySource,
  answers,
}: Refresh<typeof DefenseFigureSchema>): MessageInitShape<typeof DefenseIndustrialBasesSchema> {
  const figures = byCountry(bySource.get(defenseIndicators.name) ?? []);
  const deliveries = bySource.get(armsSuppliers.name) ?? [];
  const lastYear = Math.max(...deliveries.map(({ year }) => year));
  const received = byCountry(deliveries);
  const codes = [...new Set([...figures.keys(), ...received.keys()])].sort((a, b) => (a < b ? -1 : 1));
  const suppliersRead = answers.get(armsSuppliers.name);
  return {
    bases: codes.map((countryCode) => ({
      countryCode,
      ...indicatorsOf(figures.get(countryCode) ?? []),
      ...supplierConcentration(received.get(countryCode) ?? [], lastYear),
    })),
    industrialFetchedAt: answers.get(defenseIndicators.name)?.fetchedAt.toISOString() ?? "",
    supplierFetchedAt: suppliersRead?.fetchedAt.toISOString() ?? "",
    supplierRetained: suppliersRead !== undefined && !suppliersRead.fresh,
  };
}

function byCountry(figures: readonly DefenseFigure[]): ReadonlyMap<string, readonly DefenseFigure[]> {
  return Map.groupBy(figures, ({ countryCode }) => countryCode);
}

type Member = keyof typeof indicatorIds;
const members = namesOf(indicatorIds);

function indicatorsOf(figures: readonly DefenseFigure[]): Record<Member, Indicator> {
  const of = (id: string) =>
    latest(
      id,
      figures.filter(({ indicator }) => indicator === id),
    );
  return Object.fromEntries(members.map((member) => [member, of(indicatorIds[member])])) as Record<Member, Indicator>;
}

/** The latest value and the one before it. */
function latest(id: string, figures: readonly DefenseFigure[]): Indicator {
  const [last, previous] = figures.toSorted((a, b) => b.year - a.year);
  if (!last) return {};
  return {
    available: true,
    value: last.value,
    year: last.year,
    previousValue: previous?.value ?? 0,
    previousYear: previous?.year ?? 0,
    source: `World Bank ${id}`,
  };
}

/** What callers are told of a country now. */
export function defenseBaseAt(stored: DefenseIndustrialBases | undefined, countryCode: string, now: Date): Answer {
  const base = stored?.bases.find((known) => known.countryCode === countryCode);
  const industrialFetchedAt = stored?.industrialFetchedAt ?? "";
  const supplierFetchedAt = stored?.supplierFetchedAt ?? "";
  const hasIndicators = members.some((member) => base?.[member]?.available);
  const hasSuppliers = base !== undefined && base.supplierSource !== "";
  const times = [industrialFetchedAt, supplierFetchedAt].filter(Boolean).map((time) => Date.parse(time));
  return {
    ...(base ?? indicatorsOf([])),
    countryCode,
    available: hasIndicators || hasSuppliers,
    fetchedAt: times.length === 0 ? "" : new Date(Math.min(...times)).toISOString(),
    industrialFetchedAt,
    supplierFetchedAt,
    supplierRetained: hasSuppliers && stored?.supplierRetained === true,
    industrialState: stateOf(industrialFetchedAt, hasIndicators, now),
    supplierState: stateOf(supplierFetchedAt, hasSuppliers, now),
  };
}

function stateOf(fetchedAt: string, hasData: boolean, now: Date): string {
  if (fetchedAt === "") return "not_loaded";
  if (!hasData) return "no_data";
  return now.getTime() - Date.parse(fetchedAt) > staleAfterDays * dayMs ? "stale" : "ok";
}

/** Whether an answer is less than what its sources should tell; suppliers that are not switched on should tell nothing. */
export function isPartial({ industrialState = "", supplierState = "" }: Answer, wantsSuppliers: boolean): boolean {
  const lacking = ["not_loaded", "stale"];
  return (
    lacking.includes(industrialState) || (wantsSuppliers ? lacking.includes(supplierState) : supplierState === "stale")
  );
}
