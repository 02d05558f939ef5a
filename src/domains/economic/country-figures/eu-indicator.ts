import type { MessageInitShape } from "@bufbuild/protobuf";
import type { EuIndicator, EuIndicatorSchema } from "../../../../gen/es/ids/economic/v1/eu_indicators_pb.ts";
import type { EuIndicatorRowSchema } from "../../../../gen/es/ids/stored/v1/country_figures_pb.ts";
import type { Refresh } from "../../../ingest/dataset.ts";
import { readAge } from "../../../ingest/stored-metadata.ts";
import { europeanUnion, eurostatCode } from "../../../reference/countries/european-union.ts";
import { type CountryChoice, chosenCountries } from "./country-choice.ts";

type Indicator = MessageInitShape<typeof EuIndicatorSchema>;

export interface IndicatorTerms {
  readonly name: string;
  /** The code of the table at Eurostat. */
  readonly table: string;
  readonly label: string;
  readonly unit: string;
  /** The code to request for each dimension of the table other than country and time. */
  readonly places: Readonly<Record<string, string>>;
  readonly frequency: "A" | "Q" | "M";
  /** How many of the newest values are stored per country. */
  readonly points: number;
  /** How many years before the current one are requested, because some countries publish late. */
  readonly yearsBack: number;
  readonly minGeos: number;
}

export const members: readonly string[] = europeanUnion.map(eurostatCode).sort();

/** Patterns of Eurostat's codes for the euro area and for the EU. Each change of members creates a new code. */
export const groups = [/^EA(\d{2})$/, /^EU\d{2}_(\d{4})$/] as const;

/** Returns the newest code of a group. After a country joins, Eurostat publishes new values only under a new code. */
export function newestCode(group: RegExp, codes: Iterable<string>): string | undefined {
  const known = [...codes].flatMap((code) => {
    const [, number] = group.exec(code) ?? [];
    return number === undefined ? [] : [{ code, number: Number(number) }];
  });
  return known.sort((a, b) => b.number - a.number)[0]?.code;
}

export function indicatorOf(
  terms: IndicatorTerms,
  { bySource, responses }: Refresh<typeof EuIndicatorRowSchema>,
): Indicator {
  const rows = bySource.get(terms.name) ?? [];
  const readAt = responses.get(terms.name)?.fetchedAt;
  const ids = rows.map(({ id }) => id);
  const places = [...members, ...groups.flatMap((group) => newestCode(group, ids) ?? [])];
  const readings = places.flatMap((geo) => {
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

/** Returns the code whose values to look up. Any code of a group, even an old one, stands for its newest code. */
function codeAmong(known: readonly string[], code: string): string {
  const group = groups.find((one) => one.test(code));
  return (group && newestCode(group, known)) ?? code;
}

export function indicatorResponse(
  { table, label }: IndicatorTerms,
  stored: EuIndicator | undefined,
  request: CountryChoice & { readonly summary: boolean },
  { freshForMinutes, now }: { readonly freshForMinutes: number; readonly now: Date },
) {
  const { seededAt, countries: reported = {} } = stored ?? {};
  const countries = request.countries.map((code) => codeAmong(Object.keys(reported), eurostatCode(code)));
  const chosen = chosenCountries(reported, { ...request, countries });
  const newest = Object.entries(chosen).map(([geo, { value, date, unit }]) => [geo, { value, date, unit }] as const);
  const selected = request.summary ? Object.fromEntries(newest) : chosen;
  return {
    age: readAge([{ readAt: seededAt === undefined ? undefined : Number(seededAt), freshForMinutes }], now),
    indicator: { countries: selected, ...(seededAt === undefined ? {} : { seededAt }), dataset: table, label },
  };
}
