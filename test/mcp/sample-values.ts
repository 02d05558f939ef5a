import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse as parseCsv } from "csv-parse/sync";
import { fillPlaceholders } from "../../src/upstream/sample/placeholders.ts";
import { sampleBody } from "../../src/upstream/sample/sample.ts";
import { testTime } from "../support/app.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A file of the samples, read without any of the project's own parsers. */
export function sampleJson<Body>(file: string): Body {
  const [source = "", name = ""] = file.split("/");
  const text = sampleBody(source, name, testTime) ?? readFileSync(join(root, "sample", file), "utf8");
  return JSON.parse(fillPlaceholders(text, testTime, file));
}

/** The rows of a table, by the names of its columns. */
export function csvRows(file: string): readonly Readonly<Record<string, string>>[] {
  return parseCsv(readFileSync(join(root, file), "utf8"), { columns: true, bom: true, relax_column_count: true });
}

interface Cube {
  readonly size: readonly number[];
  readonly value: Readonly<Record<string, number>>;
  readonly dimension: { readonly geo: { readonly category: { readonly index: Readonly<Record<string, number>> } } };
}

/** The latest cell of a country in a folder of Eurostat's answers, of which each has some countries and all periods. */
export function latestOfEurostat(folder: string, geo: string): number | undefined {
  for (const file of readdirSync(join(root, "sample", folder))) {
    if (file === "sample.json") continue;
    const { size, value, dimension } = sampleJson<Cube>(`${folder}/${file}`);
    const periods = size.at(-1) ?? 0;
    const row = dimension.geo.category.index[geo];
    if (row === undefined) continue;
    const cells = Array.from({ length: periods }, (_, period) => value[row * periods + period]);
    return cells.findLast((cell) => cell !== undefined);
  }
  return undefined;
}

interface WtoRow {
  readonly ReportingEconomyCode: string;
  readonly Year: number;
  readonly Value: number;
}

/** The latest value of an economy in a folder's files of this name. */
export function latestOfWto(folder: string, name: string, reporter: string): number | undefined {
  // An empty file is how the upstream says that there are none.
  const files = readdirSync(join(root, "sample", folder)).filter(
    (file) => file.startsWith(name) && statSync(join(root, "sample", folder, file)).size > 0,
  );
  const rows = files.flatMap((file) => sampleJson<{ Dataset: WtoRow[] }>(`${folder}/${file}`).Dataset);
  const own = rows.filter(({ ReportingEconomyCode: code }) => code === reporter);
  return own.sort((a, b) => b.Year - a.Year)[0]?.Value;
}

/** The last price of a chart. */
export function priceOf(file: string): number | undefined {
  interface Chart {
    readonly chart: { readonly result: readonly { readonly meta: { readonly regularMarketPrice: number } }[] };
  }
  return sampleJson<Chart>(file).chart.result[0]?.meta.regularMarketPrice;
}
