import type { Parsed, Source } from "../../../../ingest/source.ts";
import { type Population, readPopulation, unhcrMetadata } from "../../../../providers/unhcr/unhcr-population.ts";
import { type InputRow, observedAt } from "../series.ts";

/** People displaced from, within, and to each country, from the UN High Commissioner for Refugees. */
export const unhcrDisplacement: Source<InputRow> = {
  ...unhcrMetadata,
  parse,
  observedAt,
};

function parse(response: unknown): Parsed<InputRow> {
  const { populations, rejected } = readPopulation(response);
  const abroad = ({ refugees, asylumSeekers, others }: Population) => refugees + asylumSeekers + others;
  const origins = Map.groupBy(populations, ({ origin }) => origin ?? "");
  const hosts = Map.groupBy(populations, ({ asylum }) => asylum ?? "");
  const rows = [
    ...sums(origins, "displaced", "coo", (one) => abroad(one) + one.idps),
    ...sums(hosts, "hosted", "coa", abroad),
  ];
  return { rows, rejected };
}

function sums(
  groups: ReadonlyMap<string, readonly Population[]>,
  input: string,
  series: string,
  people: (one: Population) => number,
): InputRow[] {
  return [...groups].flatMap(([country, group]) => {
    const [first] = group;
    if (!first || country === "") return [];
    const value = group.reduce((sum, one) => sum + people(one), 0);
    return [{ country, input, value, period: String(first.year), series }];
  });
}
