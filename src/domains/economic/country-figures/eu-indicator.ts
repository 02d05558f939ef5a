import type { MessageInitShape } from "@bufbuild/protobuf";
import type { EuIndicator, EuIndicatorSchema } from "../../../../gen/es/ids/economic/v1/eu_indicators_pb.ts";
import type { EuIndicatorRowSchema } from "../../../../gen/es/ids/stored/v1/country_figures_pb.ts";
import type { Refresh } from "../../../ingest/dataset.ts";
import { type ReadAge, readAge } from "../../../ingest/read-age.ts";
import { europeanUnion, eurostatCode } from "../../../reference/countries/european-union.ts";
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

/** The members, in the order of the contract. */
export const members: readonly string[] = europeanUnion.map(eurostatCode).sort();

/** The euro area and the union, each under a code of its own for every composition that it has had. */
export const groups = [/^EA(\d{2})$/, /^EU\d{2}_(\d{4})$/] as const;

/** The code of a group's newest composition among these: a new member makes a new code, under which alone new values come. */
export function newestCode(group: RegExp, codes: Iterable<string>): string | undefined {
  const known = [...codes].flatMap((code) => {
    const [, number] = group.exec(code) ?? [];
    return number === undefined ? [] : [{ code, number: Number(number) }];
  });
  return known.sort((a, b) => b.number - a.number)[0]?.code;
}

/** The indicator from what is known of each place. */
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

/** By any code of a group its newest composition is meant. */
function codeAmong(known: readonly string[], code: string): string {
  const group = groups.find((one) => one.test(code));
  return (group && newestCode(group, known)) ?? code;
}

/** What callers are told: the places that they chose. */
export function indicatorResponse(
  { table, label }: IndicatorTerms,
  stored: EuIndicator | undefined,
  request: CountryChoice & { readonly summary: boolean },
  { freshForMinutes, now }: { readonly freshForMinutes: number; readonly now: Date },
): { readonly age: ReadAge; readonly indicator: Indicator } {
  const { seededAt, countries: reported = {} } = stored ?? {};
  const countries = request.countries.map((code) => codeAmong(Object.keys(reported), eurostatCode(code)));
  const chosen = chosenCountries(reported, { ...request, countries });
  const newest = Object.entries(chosen).map(([geo, { value, date, unit }]) => [geo, { value, date, unit }] as const);
  const told = request.summary ? Object.fromEntries(newest) : chosen;
  return {
    age: readAge([{ readAt: seededAt === undefined ? undefined : Number(seededAt), freshForMinutes }], now),
    indicator: { countries: told, ...(seededAt === undefined ? {} : { seededAt }), dataset: table, label },
  };
}
