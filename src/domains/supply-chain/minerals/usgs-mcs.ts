import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { MineralFigureSchema } from "../../../../gen/es/ids/stored/v1/minerals_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { type Parsed, type Rejection, rejection, type Source } from "../../../ingest/source.ts";
import { countryByName } from "../../../reference/countries/countries.ts";
import { readCsv } from "../../../upstream/csv.ts";
import type { Upstream } from "../../../upstream/upstream.ts";
import type { Stage } from "./minerals.ts";

const catalog = "https://www.sciencebase.gov/catalog";
/** The address of the file of 2026, which is used if the catalog cannot be searched. */
const pinned = `${catalog}/file/get/696a75d5d4be0228872d3bf8?name=MCS2026_Commodities_Data.csv`;
const hosts = ["sciencebase.gov", "usgs.gov"];

const search = `${catalog}/items?${new URLSearchParams({
  q: "Mineral Commodity Summaries Commodity Salient",
  format: "json",
  max: "10",
  fields: "title,files",
})}`;

const fileSchema = z.object({ name: z.string(), downloadUri: z.url() });
const catalogSchema = z.object({ items: z.array(z.object({ files: z.array(z.unknown()).nullish() })) });

export async function findRelease(upstream: Upstream): Promise<string> {
  try {
    return newestFile(await upstream.json({ url: search })) ?? pinned;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return pinned;
  }
}

/** Returns the address of the newest file, such as `MCS2026_Commodities_Data.csv`. It must be on the same host. */
export function newestFile(response: unknown): string | undefined {
  const read = catalogSchema.safeParse(response);
  if (!read.success) return undefined;
  const [newest] = read.data.items
    .flatMap(({ files }) => files ?? [])
    .flatMap((file) => fileSchema.safeParse(file).data ?? [])
    .filter(({ name, downloadUri }) => /commodities_data\.csv$/i.test(name) && isOurs(downloadUri))
    .sort((a, b) => yearOf(b.name) - yearOf(a.name));
  return newest?.downloadUri;
}

function yearOf(name: string): number {
  return Number(/\d{4}/.exec(name)?.[0] ?? 0);
}

function isOurs(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" && hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
}

interface CellValue {
  readonly output?: number;
  readonly withheld?: boolean;
}

/** Matches a cell without a usable number: not available, not applicable, a mark without a value, or only a bound. */
const unknown = /^(?:|NA|XX|e|s|[<>≤≥] ?[\d.,½]+|less than .*|\(\d+\))$/i;
/** Matches a cell that means zero. A dash in another encoding is read as a replacement character. */
const nil = /^(?:[—–-]{1,2}|\uFFFD|\u0097)$/;

const cellValue = z
  .string()
  .trim()
  .transform((text, context): CellValue => {
    if (text === "W") return { withheld: true };
    if (nil.test(text)) return { output: 0 };
    if (unknown.test(text)) return {};
    if (/^(\d{1,3}(,\d{3})+|\d+)(\.\d+)?$/.test(text)) return { output: Number(text.replaceAll(",", "")) };
    context.addIssue(`${JSON.stringify(text.slice(0, 40))} is not an amount`);
    return z.NEVER;
  });

type Figure = MessageInitShape<typeof MineralFigureSchema>;

/** USGS Mineral Commodity Summaries. Each annual table has the two newest years. */
export const usgsMcs: Source<Figure> = {
  name: "usgs-mcs",
  license: {
    kind: "open",
    publisher: "US Geological Survey",
    terms: "US public domain, USGS Mineral Commodity Summaries",
  },
  // The thirteen chapters have about 390 rows.
  rows: { atLeast: 100, mayBeEmpty: false },
  fetch: async (upstream) => upstream.text({ url: await findRelease(upstream) }),
  parse,
  observedAt: ({ year = 0 }) => Date.UTC(year, 11, 31),
  reportsYears: true,
};

const columns = [
  "MCS chapter",
  "Section",
  "Country",
  "Statistics",
  "Statistics_detail",
  "Unit",
  "Year",
  "Value",
] as const;
/** The chapters with their minerals. One chapter has a mineral for each stage. Uranium, a fuel, has no chapter. */
export const chapters: ReadonlyMap<string, string | Readonly<Record<Stage, string>>> = new Map<
  string,
  string | Readonly<Record<Stage, string>>
>([
  ["RARE EARTHS", "ree"],
  ["LITHIUM", "lithium"],
  ["COBALT", "cobalt"],
  ["COPPER", "copper"],
  ["NICKEL", "nickel"],
  ["GRAPHITE (NATURAL)", "graphite"],
  ["TUNGSTEN", "tungsten"],
  ["GALLIUM", "gallium"],
  ["GERMANIUM", "germanium"],
  ["HELIUM", "helium"],
  ["ALUMINUM", "aluminum"],
  ["BAUXITE AND ALUMINA", { mine: "bauxite", refinery: "alumina" }],
]);

const lineSchema = z.object({
  "MCS chapter": z.string(),
  Country: z.string().trim().min(1),
  Statistics_detail: z.string(),
  Unit: z.string().trim().min(1),
  Year: z
    .string()
    .regex(/^\d{4}(?!\d)/, "is not a year")
    .transform((year) => Number(year.slice(0, 4))),
  Value: cellValue,
  Notes: z.string().default(""),
});

function parse(text: unknown): Parsed<Figure> {
  const rows: Figure[] = [];
  const { head, rows: read, rejected } = readCsv("USGS", z.string().parse(text));
  const missing = columns.filter((column) => !head.includes(column));
  if (missing.length > 0) throw new UpstreamError(`USGS sent no rows with the columns ${missing.join(", ")}`);
  for (const { line: place, cells } of read.slice(1)) {
    const line: Line = Object.fromEntries(head.map((column, at) => [column, cells[at] ?? ""]));
    if (!isWorldProduction(line)) continue;
    const one = lineSchema.safeParse(line);
    const figure = one.success ? figureOf(one.data) : rejection("", one.error);
    if ("reason" in figure) rejected.push({ ...figure, row: `line ${place}` });
    else rows.push(figure);
  }
  return { rows, rejected };
}

type Line = Readonly<Partial<Record<(typeof columns)[number] | "Notes", string>>>;

function isWorldProduction(line: Line): boolean {
  return (
    chapters.has(line["MCS chapter"] ?? "") && line.Statistics === "Production" && /^World\b/.test(line.Section ?? "")
  );
}

function figureOf(line: z.output<typeof lineSchema>): Figure | Rejection {
  const { Country: country, Statistics_detail: detail, Unit: unit, Year: year, Value: value } = line;
  const stage = stageOf(detail);
  if (!stage) return { row: "", reason: `${JSON.stringify(detail)} is not a stage` };
  const chapter = chapters.get(line["MCS chapter"]) ?? "";
  const commodityId = typeof chapter === "string" ? chapter : chapter[stage];
  const known = countryByName(country);
  return {
    commodityId,
    stage,
    year,
    unit,
    ...value,
    iso2: known?.alpha2 ?? "",
    country: known?.name ?? country,
    estimated: /\bestimated\./i.test(line.Notes),
    residual: /^others?\b/i.test(country),
    worldTotal: /^world total/i.test(country) || /:\s*rounded$/i.test(detail),
  };
}

/** Returns the stage of a row. Primary production of a metal is refining. Other production is mining. */
function stageOf(detail: string): Stage | undefined {
  if (/refine|smelter|primary production/i.test(detail)) return "refinery";
  return /\bmine\b|\bproduction\b/i.test(detail) ? "mine" : undefined;
}
