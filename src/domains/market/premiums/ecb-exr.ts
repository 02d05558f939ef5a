import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { MetalQuoteSchema } from "../../../../gen/es/ids/stored/v1/metal_pb.ts";
import { day } from "../../../ingest/row-fields.ts";
import { type Parsed, readRow, type Source } from "../../../ingest/source.ts";
import { readCsvTable } from "../../../upstream/csv.ts";
import type { Upstream } from "../../../upstream/upstream.ts";
import { fxPair } from "../metals.ts";

type Quote = MessageInitShape<typeof MetalQuoteSchema>;

const address =
  "https://data-api.ecb.europa.eu/service/data/EXR/D.USD+CNY.EUR.SP00.A?lastNObservations=5&format=csvdata";

/** The exchange rate in US dollars per yuan. The source has both currencies per euro, so the rate is their ratio. */
export const ecbExr: Source<Quote> = {
  name: "ecb-exr",
  license: {
    kind: "attribution",
    publisher: "European Central Bank",
    terms: "European Central Bank, euro foreign exchange reference rates",
  },
  rows: { atLeast: 1, mayBeEmpty: false },
  fetch: (upstream: Upstream) => upstream.text({ url: address }),
  parse: parseRates,
  observedAt: ({ asOf = "" }) => Date.parse(asOf),
};

const required = ["CURRENCY", "CURRENCY_DENOM", "TIME_PERIOD", "OBS_VALUE"];

const rowSchema = z.object({
  CURRENCY: z.enum(["USD", "CNY"]),
  CURRENCY_DENOM: z.literal("EUR"),
  TIME_PERIOD: day,
  /** The source writes an empty value or `NaN` for a day without rates. */
  OBS_VALUE: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,9})?$/)
    .transform(Number)
    .pipe(z.number().positive()),
});

function parseRates(response: unknown): Parsed<Quote> {
  const days = new Map<string, Partial<Record<"USD" | "CNY", number>>>();
  const { records, rejected } = readCsvTable("ECB", z.string().parse(response), required);
  for (const { line, record: value } of records) {
    const row = readRow(rowSchema, value, `${value.CURRENCY} ${value.TIME_PERIOD || `line ${line}`}`, rejected);
    if (!row) continue;
    const { CURRENCY: currency, TIME_PERIOD: day, OBS_VALUE: perEuro } = row;
    days.set(day, { ...days.get(day), [currency]: perEuro });
  }
  const rows: Quote[] = [];
  for (const [day, { USD: usd, CNY: cny }] of days)
    if (usd !== undefined && cny !== undefined) rows.push(quote(day, usd / cny));
    else rejected.push({ row: day, reason: `has no rate of ${usd === undefined ? "USD" : "CNY"}` });
  return { rows, rejected };
}

/** The source's rates have 5 digits, so rounding their ratio to 8 decimals does not affect premiums. */
const digits = 8;

function quote(day: string, rate: number): Quote {
  return {
    symbol: fxPair,
    price: String(Number(rate.toPrecision(digits))),
    asOf: `${day}T14:15:00.000Z`,
    source: "European Central Bank euro reference rates",
  };
}
