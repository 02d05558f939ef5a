import type { MessageInitShape } from "@bufbuild/protobuf";
import type { EuIndicator, EuIndicatorSchema } from "../../../../gen/es/ids/economic/v1/eu_indicators_pb.ts";
import type { EuIndicatorRowSchema } from "../../../../gen/es/ids/stored/v1/country_figures_pb.ts";
import type { Refresh } from "../../../ingest/dataset.ts";
import { type ReadAge, readAge } from "../../../ingest/read-age.ts";
import { eurostatCode } from "../../../providers/eurostat/eurostat.ts";
import { europeanUnion } from "../../../reference/countries/european-union.ts";
import { type CountryChoice, chosenCountries } from "./country-choice.ts";

type Indicator = MessageInitShape<typeof EuIndicatorSchema>;

/** One series of places in a table of Eurostat. */
export interface IndicatorTerms {
  /** Name of its source. */
  readonly name: string;
  /** Eurostat's code. */
  readonly table: string;
  readonly label: string;
  /** Eurostat's code. */
  readonly unit: string;
  /** The one place on each other dimension, by its name. */
  readonly places: Readonly<Record<string, string>>;
  readonly frequency: "A" | "Q" | "M";
  /** Newest values that are kept of each place. */
  readonly points: number;
  /** Years before the current one from which values are asked for: some places are told late. */
  readonly yearsBack: number;
  /** Places that a whole answer has at least. */
  readonly minGeos: number;
}

/** The places of every indicator, in the order of the contract. */
export const geos: readonly string[] = [...europeanUnion.map(eurostatCode).sort(), "EA20", "EU27_2020"];

/** The indicator from what is known of each place. */
export function indicatorOf(
  terms: IndicatorTerms,
  { bySource, answers }: Refresh<typeof EuIndicatorRowSchema>,
): Indicator {
  const rows = bySource.get(terms.name) ?? [];
  const readAt = answers.get(terms.name)?.fetchedAt;
  const readings = geos.flatMap((geo) => {
    const series = rows.find(({ id }) => id === geo)?.points ?? [];
    const [latest, prior] = [series.at(-1), series.at(-2)];
    if (!latest) return [];
    const before = prior ? { priorValue: prior.value, hasPrior: true } : { hasPrior: false };
    return [[geo, { value: latest.value, ...before, date: latest.date, unit: terms.unit, series }] as const];
  });
  return {
    countries: Object.fromEntries(readings),
    ...(readAt ? { seededAt: BigInt(readAt.getTime()) } : {}),
    dataset: terms.table,
    label: terms.label,
  };
}

/** What callers are told: the places that they chose. */
export function indicatorAnswer(
  { table, label }: IndicatorTerms,
  stored: EuIndicator | undefined,
  request: CountryChoice & { readonly summary: boolean },
  { freshForMinutes, now }: { readonly freshForMinutes: number; readonly now: Date },
): { readonly age: ReadAge; readonly indicator: Indicator } {
  const { seededAt, countries: reported = {} } = stored ?? {};
  const chosen = chosenCountries(reported, { ...request, countries: request.countries.map(eurostatCode) });
  const newest = Object.entries(chosen).map(([geo, { value, date, unit }]) => [geo, { value, date, unit }] as const);
  const countries = request.summary ? Object.fromEntries(newest) : chosen;
  return {
    age: readAge([{ readAt: seededAt === undefined ? undefined : Number(seededAt), freshForMinutes }], now),
    indicator: { countries, ...(seededAt === undefined ? {} : { seededAt }), dataset: table, label },
  };
}
