import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { MetalQuoteSchema } from "../../../../gen/es/ids/stored/v1/metal_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import type { Parsed, Rejection, Source } from "../../../ingest/source.ts";
import { libraries } from "../../../reference/libraries.ts";
import { sourceDay } from "../../../reference/source-time.ts";
import type { Upstream } from "../../../upstream/upstream.ts";
import { type Metal, type MetalName, metals } from "../metals.ts";

type Quote = MessageInitShape<typeof MetalQuoteSchema>;

const pages: Readonly<Record<MetalName, string>> = {
  gold: "https://en.sge.com.cn/data_BenchmarkPrice_Daily",
  silver: "https://en.sge.com.cn/data/data_silver_daily",
};

/** Benchmark prices of the last days from the Shanghai Gold Exchange, which has one page per metal. */
export const sge: Source<Quote> = {
  name: "sge",
  license: {
    kind: "restricted",
    publisher: "Shanghai Gold Exchange",
    terms: "Shanghai Gold Exchange; redistribution is not licensed",
  },
  permission: "IDS_SGE",
  access: {
    signUp: "https://en.sge.com.cn/",
    cost: "by agreement with the exchange",
    quota: "none published",
    terms: "https://en.sge.com.cn/",
    rejection: "The site rejected the program or its address.",
  },
  rows: { atLeast: metals.length, mayBeEmpty: false },
  fetch: async (upstream: Upstream) => {
    const read = async ({ metal }: Metal) => {
      const page = { url: pages[metal], mediaType: "text/html", maxBytes: 256 * 1024, timeoutMs: 20_000 };
      return [metal, await upstream.text(page)] as const;
    };
    return Object.fromEntries(await Promise.all(metals.map(read)));
  },
  parse: parsePages,
  observedAt: ({ asOf = "" }) => Date.parse(asOf),
};

const pagesSchema = z.record(z.enum(metals.map(({ metal }) => metal)), z.string());

function parsePages(response: unknown): Parsed<Quote> {
  const read = pagesSchema.parse(response);
  const parsed = metals.map((metal) => parsePage(metal, read[metal.metal]));
  return { rows: parsed.flatMap(({ rows }) => rows), rejected: parsed.flatMap(({ rejected }) => rejected) };
}

function parsePage({ metal, contract }: Metal, html: string): Parsed<Quote> {
  const rows = new Map<string, Quote>();
  const contested = new Set<string>();
  const rejected: Rejection[] = [];
  for (const [place, cells] of tableOf(metal, html).entries()) {
    const row = `${contract} ${cells[0]?.slice(0, 20) || `#${place}`}`;
    const quote = quoteOf(contract, cells);
    if (typeof quote === "string") {
      rejected.push({ row, reason: quote });
      continue;
    }
    const known = rows.get(quote.asOf);
    if (known && known.price !== quote.price) contested.add(quote.asOf);
    if (known) rejected.push({ row, reason: "the day occurs twice" });
    else rows.set(quote.asOf, quote);
  }
  for (const day of contested) {
    rows.delete(day);
    rejected.push({ row: `${contract} ${day}`, reason: "two rows of the day differ" });
  }
  if (rows.size === 0) throw new UpstreamError(`SGE has no price of ${metal}`);
  return { rows: [...rows.values()], rejected };
}

const headers = ["Trade Date", "Contract", "Benchmark Price AM", "Benchmark Price PM"];

/** Returns the rows of the price table as plain text, without the header. */
function tableOf(metal: MetalName, html: string): string[][] {
  const $ = libraries.cheerio().load(html);
  $("script, style").remove();
  const tables = $("table")
    .toArray()
    // A table that contains other tables is skipped, because it would also contain their rows.
    .filter((table) => $(table).find("table").length === 0)
    .map((table) =>
      $(table)
        .find("tr")
        .toArray()
        .map((row) =>
          $(row)
            .children("th, td")
            .toArray()
            .map((cell) => $(cell).text().replaceAll(/\s+/g, " ").trim()),
        ),
    )
    .filter(([head]) => head?.join("|") === headers.join("|"));
  const [table] = tables;
  if (!table || tables.length > 1)
    throw new UpstreamError(`SGE has ${tables.length} tables of ${metal} with the headers ${headers.join(", ")}`);
  return table.slice(1);
}

function quoteOf(contract: string, cells: readonly string[]) {
  const [date = "", name = "", am = "", pm = ""] = cells;
  if (cells.length !== headers.length) return `has ${cells.length} cells`;
  if (name !== contract) return `is of the contract ${name.slice(0, 50)}`;
  const asOf = sourceDay(date);
  if (asOf === undefined) return "has no day";
  const [fixing, price] = isUnset(pm) ? ["AM", priceOf(am)] : ["PM", priceOf(pm)];
  if (price === undefined) return `has no ${fixing} price`;
  return { symbol: contract, price, asOf, source: `Shanghai Gold Exchange ${contract} ${fixing} benchmark` };
}

/** Returns whether a price is not fixed yet. Until the afternoon, the cell has a sign or 0. */
function isUnset(text: string): boolean {
  return /^(|\/|-+|0+(\.0+)?)$/.test(text);
}

/** Returns a price as decimal text without commas. Undefined for text that is not a price above 0. */
function priceOf(text: string): string | undefined {
  if (isUnset(text) || !/^(\d{1,3}(,\d{3})+|\d{1,10})(\.\d{1,6})?$/.test(text)) return undefined;
  return text.replaceAll(",", "").replace(/^0+(?=\d)/, "");
}
