import { z } from "zod";
import { UpstreamError } from "../../../../egress/upstream-error.ts";
import { day } from "../../../../ingest/row-fields.ts";
import { type Parsed, readAs, rejection, type Source } from "../../../../ingest/source.ts";
import { countryByAlpha3 } from "../../../../reference/countries/countries.ts";
import { readCsvTable } from "../../../../upstream/csv.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import { seriesOf } from "../../inputs.ts";
import { type InputRow, joined, newestOf, observedAt, partOf, type Reported } from "../series.ts";

const name = "hdx-ipc";
const site = "https://data.humdata.org";
const dataset = "global-acute-food-insecurity-country-data";
const file = "ipc_global_national_long_latest.csv";
const store = "s3.eu-central-1.amazonaws.com";
const minCountries = 20;

/**
 * Food security by country (Integrated Food Security Phase Classification) from the Humanitarian Data Exchange. Only
 * the newest current analysis counts.
 */
export const hdxIpc: Source<InputRow> = {
  name,
  license: {
    kind: "non-commercial",
    publisher: "IPC",
    terms: "CC BY-NC-SA 3.0 IGO, IPC Global Partnership, by OCHA's HDX",
  },
  rows: { atLeast: 2 * minCountries, mayBeEmpty: false },
  fetch: fetchTable,
  parse: parseTable,
  partOf,
  observedAt,
  minutesApart: 23 * 60,
};

const packageSchema = z.object({
  result: z.object({ resources: z.array(z.object({ name: z.string(), url: z.string() })) }),
});

/** Fetches the table. Its address changes, so it is looked up by the name of the dataset. */
async function fetchTable(upstream: Upstream): Promise<string> {
  const url = readAs(
    "HDX",
    packageSchema,
    await upstream.json({ url: `${site}/api/3/action/package_show?id=${dataset}` }),
  ).result.resources.find((resource) => resource.name === file)?.url;
  if (url === undefined || !url.startsWith(`${site}/`)) throw new UpstreamError(`HDX has no ${file}`);
  return upstream.text({ url, redirectsTo: store });
}

const lineSchema = z.object({
  Country: z.string().length(3),
  From: day,
  Phase: z.enum(["all", "1", "2", "3", "4", "5", "3+"]),
  Number: z.string().trim().min(1).transform(Number).pipe(z.number().nonnegative()),
});
const populationColumn = "Total country population";
const columns = ["Country", populationColumn, "Validity period", "From", "Phase", "Number"];
const populationSchema = z.string().trim().min(1).transform(Number).pipe(z.number().positive());

function parseTable(response: unknown, now: Date): Parsed<InputRow> {
  const { records, rejected } = readCsvTable("HDX", z.string().parse(response), columns);
  const analyses = new Map<string, Analysis>();
  for (const { line: place, record: line } of records) {
    const { Country: alpha3 = "", "Validity period": validity } = line;
    // The line after the header has tags such as `#country+code`. Projections are skipped too, because they are not
    // current.
    if (alpha3.startsWith("#") || validity !== "current") continue;
    const read = lineSchema.safeParse(line);
    const country = countryByAlpha3(alpha3)?.alpha2;
    if (!read.success) rejected.push(rejection(`${alpha3} line ${place}`, read.error));
    else if (!country) rejected.push({ row: `${alpha3} line ${place}`, reason: "is not a known country" });
    else if (Date.parse(read.data.From) <= now.getTime()) {
      const { From: period, Phase, Number: people } = read.data;
      const analysis = analyses.get(`${country} ${period}`) ?? { country, period, people: new Map<string, number>() };
      const population = populationSchema.safeParse(line[populationColumn]).data;
      if (population !== undefined) analysis.population = population;
      analyses.set(`${country} ${period}`, analysis);
      analysis.people.set(Phase, people);
    }
  }
  const newest = newestAnalyses(analyses.values());
  for (const { country, people, population = 0 } of newest) {
    const share = (people.get("all") ?? population) / population;
    if (share < shareAnalyzed && phaseOf({ people, population }) === undefined)
      rejected.push({ row: `${country} phase`, reason: `${Math.round(100 * share)} % of its people were analyzed` });
  }
  const values = (of: (analysis: Analysis) => number | undefined): Reported[] =>
    newest.flatMap((analysis) => {
      const { country, period } = analysis;
      const value = of(analysis);
      return value === undefined ? [] : [{ country, period, value }];
    });
  const parts = seriesOf(name).map((one) =>
    newestOf(one, values(one.input === "foodCrisisPhase" ? phaseOf : peopleInCrisis), { min: minCountries }),
  );
  const { rows, missing } = joined(parts);
  if (rows.length === 0) throw new UpstreamError(`HDX: ${missing[0]?.reason ?? "no rows"}`);
  return { rows, rejected, missing };
}

interface Analysis {
  readonly country: string;
  readonly period: string;
  readonly people: Map<string, number>;
  /** The number of people in the country, including those outside the analysis. */
  population?: number;
}

function newestAnalyses(analyses: Iterable<Analysis>): Analysis[] {
  const newest = new Map<string, Analysis>();
  for (const one of analyses) if ((newest.get(one.country)?.period ?? "") < one.period) newest.set(one.country, one);
  return [...newest.values()];
}

function peopleInCrisis({ people }: Pick<Analysis, "people">): number | undefined {
  return people.get("3+");
}

const phases = [5, 4, 3, 2] as const;
/** A country is in a phase if at least this share of its people is in the phase or worse (IPC Technical Manual 3.1). */
const shareOfPhase = 0.2;

/** If no worse phase is reached and a smaller share of the people was analyzed, the phase is unknown instead of 1. */
const shareAnalyzed = 0.5;

/** Returns the phase of a country. People who were not analyzed are counted as being in no phase. */
export function phaseOf({ people, population }: Pick<Analysis, "people" | "population">): number | undefined {
  const analyzed = people.get("all");
  if (!analyzed || !phases.some((phase) => people.has(String(phase)))) return undefined;
  const all = Math.max(population ?? analyzed, analyzed);
  let worse = 0;
  for (const phase of phases) {
    worse += people.get(String(phase)) ?? 0;
    if (worse >= shareOfPhase * all) return phase;
  }
  return analyzed >= shareAnalyzed * all ? 1 : undefined;
}
