import { members } from "../../../src/domains/economic/country-figures/eu-indicator.ts";
import { alpha2OfEurostat } from "../../../src/reference/countries/european-union.ts";
import type { SampleFolder } from "../folder.ts";
import { profileOf } from "../world/country-profiles.ts";
import { economyOf } from "../world/economy.ts";
import { euroArea } from "../world/euro-area.ts";
import { unionMembers } from "../world/tariffs.ts";
import { placeholder } from "./decimal.ts";
import { type Dimension, jsonStat } from "./json-stat.ts";

/** A table of Eurostat: the members of the Union and two groups, in batches of four per request. */
export interface EurostatTable {
  readonly table: string;
  readonly version: string;
  readonly label: string;
  readonly note: string;
  readonly updated: string;
  /** Dimensions with one value each. */
  readonly fixed: readonly Dimension[];
  readonly unit: "year" | "quarter" | "month";
  /** Offsets of the first and the last period. */
  readonly periods: readonly [number, number];
  readonly digits: number;
  /** Returns the value of a country, by alpha-2 code, at the offset of a period. */
  readonly value: (alpha2: string, offset: number) => number;
  /** Offsets of periods without a value, by Eurostat's code of a place. */
  readonly gaps: Readonly<Record<string, readonly number[]>>;
  readonly provisional: readonly string[];
}

const groupMembers: Readonly<Record<string, readonly string[]>> = {
  EU27_2020: [...unionMembers],
  EA21: [...euroArea],
};
const groupLabels: Readonly<Record<string, string>> = {
  EU27_2020: "European Union - 27 countries (from 2020)",
  EA21: "Euro area - 21 countries (from 2026)",
  XK: "Kosovo*",
};
const batchSize = 4;
const address = "https://ec.europa.eu/eurostat/api/dissemination/statistics/1.0/data";

export function geoDimension(codes: readonly string[]): Dimension {
  const labelOf = (geo: string) => groupLabels[geo] ?? profileOf(alpha2OfEurostat(geo)).name;
  return {
    id: "geo",
    label: "Geopolitical entity (reporting)",
    codes: codes.map((geo) => [geo, labelOf(geo)]),
  };
}

export function timeDimension(unit: EurostatTable["unit"], [first, last]: readonly [number, number]): Dimension {
  const codes = Array.from({ length: last - first + 1 }, (_, place) => placeholder(unit, first + place));
  return { id: "time", label: "Time", codes: codes.map((code) => [code, code]) };
}

/** Returns the value of a place. The value of a group is the mean weighted by GDP. */
export function ofGeo(geo: string, value: (alpha2: string) => number): number {
  const members = groupMembers[geo];
  if (!members) return value(alpha2OfEurostat(geo));
  const gdp = (alpha2: string) => economyOf(alpha2, 0).gdp;
  const all = members.reduce((sum, alpha2) => sum + gdp(alpha2), 0);
  return members.reduce((sum, alpha2) => sum + value(alpha2) * gdp(alpha2), 0) / all;
}

export function batchedSample(terms: EurostatTable): SampleFolder {
  const { table, note, unit, periods, fixed, value, gaps } = terms;
  const batches = Array.from({ length: Math.ceil(members.length / batchSize) }, (_, place) => {
    const codes = members.slice(place * batchSize, (place + 1) * batchSize);
    return { name: codes[0] ?? "", query: { geo: codes[0] ?? "" }, codes };
  });
  const groups = { name: "aggregates", query: { geoLevel: "aggregate" }, codes: Object.keys(groupMembers) };
  const files = [...batches, groups].map(({ name, query, codes }) => {
    const dimensions = [...fixed, geoDimension(codes), timeDimension(unit, periods)];
    const valueAt = (geo: string, place: number) => {
      const offset = periods[0] + place;
      return gaps[geo]?.includes(offset) ? undefined : ofGeo(geo, (alpha2) => value(alpha2, offset));
    };
    return { query, file: `${name}.json`, text: jsonStat({ ...terms, dimensions, value: valueAt }) };
  });
  return {
    index: {
      note,
      rows: members.length + groups.codes.length,
      responses: files.map(({ query, file }) => ({ url: `${address}/${table}`, query, file })),
    },
    files: Object.fromEntries(files.map(({ file, text }) => [file, text])),
  };
}

/** Returns the offsets from one to another, both included. */
export function offsets(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, place) => first + place);
}
