import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { CountryTradeSchema } from "../../../../gen/es/ids/stored/v1/supply_chain_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import type { Parsed, Source } from "../../../ingest/source.ts";
import { reporters } from "../../../providers/comtrade/comtrade-codes.ts";
import { dayMs } from "../../../reference/duration.ts";
import type { ReportedImports } from "./comtrade-response.ts";

export type Row = MessageInitShape<typeof CountryTradeSchema>;

export interface Reported {
  readonly reporter: number;
  readonly imports?: ReportedImports;
  readonly failure?: string;
  readonly status?: number | undefined;
}

const rememberedDays = 400;

/** A country that failed or was not requested this time retains its stored imports. */
export const remember: NonNullable<Source<Row>["remember"]> = {
  key: ({ iso2 }) => iso2 ?? "",
  retains: (row, now) => {
    const { reported } = row;
    return (
      reported?.case === "imports" &&
      now.getTime() - Date.parse(reported.value.fetchedAt ?? "") < rememberedDays * dayMs
    );
  },
};

const failuresInARow = 5;

/** It stops after several failures in a row. If every request fails, it throws the first error. */
export async function fetchEach(
  requested: readonly number[],
  sendRequest: (reporter: number) => Promise<ReportedImports>,
): Promise<Reported[]> {
  const reported: Reported[] = [];
  const failures: UpstreamError[] = [];
  for (const reporter of requested) {
    try {
      reported.push({ reporter, imports: await sendRequest(reporter) });
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      failures.push(error);
      reported.push({ reporter, failure: error.message, status: error.status });
    }
    if (reported.slice(-failuresInARow).filter(({ failure }) => failure !== undefined).length === failuresInARow) {
      const rest = requested.slice(reported.length);
      reported.push(
        ...rest.map((left) => ({ reporter: left, failure: "not requested because other requests had failed" })),
      );
      break;
    }
  }
  if (failures.length > 0 && reported.every(({ failure }) => failure !== undefined)) throw failures[0];
  return reported;
}

const productSchema = z.object({ hs4: z.string() }).loose();
const importsSchema = z.object({
  products: z.array(productSchema),
  rejected: z.array(z.object({ row: z.string(), reason: z.string() })),
});
const reportedSchema = z.array(
  z.object({
    reporter: z.int(),
    imports: importsSchema.optional(),
    failure: z.string().optional(),
    status: z.number().optional(),
  }),
);

/** A reporter without imports has no row. Throws if every request failed. */
export function countriesOf(response: unknown, now: Date): Parsed<Row> {
  const reported = reportedSchema.parse(response);
  const failed = reported.filter(({ failure }) => failure !== undefined);
  const fetchedAt = now.toISOString();
  return {
    rows: reported.flatMap(({ reporter, imports }) =>
      imports && imports.products.length > 0
        ? [
            {
              iso2: reporters.get(reporter) ?? "",
              reported: { case: "imports" as const, value: { products: imports.products, fetchedAt } },
            },
          ]
        : [],
    ),
    rejected: reported.flatMap(({ imports }) => imports?.rejected ?? []),
    missing: failed.map(({ reporter, failure: reason = "", status }) => ({
      part: reporters.get(reporter) ?? "",
      reason,
      status,
    })),
  };
}
