import { type InputName, inputs, type SourceName } from "./inputs.ts";

export interface Reading {
  readonly value: number;
  /** The year or the day to which the value refers. */
  readonly period: string;
  readonly source: SourceName;
  readonly series: string;
}

export interface InputReading extends Reading {
  readonly country: string;
  readonly input: InputName;
}

export interface CountryData {
  readonly country: string;
  /** Returns the values of an input, newest period first, from the first of its sources that has the country. */
  readonly readings: (input: InputName) => readonly Reading[];
  readonly value: (input: InputName) => number | undefined;
}

export interface Inputs {
  readonly now: Date;
  /** The time of the last read of each source. Undefined if the source was never read. */
  readonly readAt: ReadonlyMap<SourceName, Date | undefined>;
  readonly of: (country: string) => CountryData;
  readonly seriesCount: (input: InputName) => number;
  readonly countryCount: (input: InputName) => number;
}

export function worldOf(
  readings: readonly InputReading[],
  readAt: ReadonlyMap<SourceName, Date | undefined>,
  now: Date,
): Inputs {
  const byPlace = Map.groupBy(readings, ({ country, input }) => `${country} ${input}`);
  const byInput = Map.groupBy(readings, ({ input }) => input);
  const known = new Map([...byPlace].map(([place, reported]) => [place, preferred(reported)]));
  const counted = new Map<string, number>();
  const distinct = (input: InputName, member: "series" | "country") => {
    const key = `${input} ${member}`;
    const count = counted.get(key) ?? new Set(byInput.get(input)?.map((reading) => reading[member])).size;
    counted.set(key, count);
    return count;
  };
  return {
    now,
    readAt,
    of: (country) => {
      const all = (input: InputName) => known.get(`${country} ${input}`) ?? [];
      return { country, readings: all, value: (input) => all(input)[0]?.value };
    },
    seriesCount: (input) => distinct(input, "series"),
    countryCount: (input) => distinct(input, "country"),
  };
}

function preferred(reported: readonly InputReading[]): readonly Reading[] {
  const input = reported[0]?.input;
  const order = input ? inputs[input].reportedBy.map(([source]) => source) : [];
  const source = order.find((name) => reported.some((reading) => reading.source === name));
  return reported
    .filter((reading) => reading.source === source)
    .sort((a, b) => (a.period === b.period ? (a.series < b.series ? -1 : 1) : a.period > b.period ? -1 : 1));
}

export function sourcesOf(countryInputs: Inputs, input: InputName): readonly SourceName[] {
  return inputs[input].reportedBy.flatMap(([source]) => (countryInputs.readAt.has(source) ? [source] : []));
}
