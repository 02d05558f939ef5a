import type { MessageInitShape } from "@bufbuild/protobuf";
import type { FlowRowSchema } from "../../../../gen/es/ids/stored/v1/trade_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import type { Parsed, Rejection, Source } from "../../../ingest/source.ts";
import {
  economies,
  fetchWto,
  type Indicator,
  world,
  wtoMetadata,
  wtoResponseSchema,
} from "../../../providers/wto/wto.ts";
import { newestYear, readIndicator } from "../../../providers/wto/wto-series.ts";

type Row = MessageInitShape<typeof FlowRowSchema>;

/** The total trade in goods with the world, because the WTO has no values by partner. */
const merchandise = { unit: "USM", partner: world, product: "TO" };
const exported: Indicator = { code: "ITS_MTV_AX", ...merchandise };
const imported: Indicator = { code: "ITS_MTV_AM", ...merchandise };

export const wtoFlows: Source<Row> = {
  name: "wto-flows",
  ...wtoMetadata,
  rows: { atLeast: 100, mayBeEmpty: false },
  fetch: (upstream) => fetchWto(upstream, [exported, imported]),
  parse: parseFlows,
  observedAt: ({ reported }) => newestYear(reported?.case === "series" ? reported.value.points : undefined),
};

/** Parses exports and imports. A reporter is complete only if both were read. */
function parseFlows(response: unknown, now: Date): Parsed<Row> {
  const { reporters, batches } = wtoResponseSchema.parse(response);
  const exports = readIndicator(batches, exported, now);
  const imports = readIndicator(batches, imported, now);
  const rejected: Rejection[] = [...exports.rejected, ...imports.rejected];
  const rows: Row[] = [];
  const empty: string[] = [];
  for (const [reporter, name] of economies(reporters)) {
    const sides = [exports.series.get(reporter), imports.series.get(reporter)] as const;
    const years = [...new Set(sides.flatMap((side) => [...(side?.keys() ?? [])]))].sort((a, b) => a - b);
    const responded = sides.every((side) => side !== undefined);
    const points = years.flatMap((year) => {
      const [sold, bought] = sides.map((side) => side?.get(year));
      if (sold !== undefined && bought !== undefined) return [{ year, exports: sold, imports: bought }];
      // A year with only exports or only imports is omitted, because the other value is unknown and not zero.
      if (responded) rejected.push({ row: `${reporter} ${year}`, reason: "has one side only" });
      return [];
    });
    if (responded && points.length === 0) empty.push(reporter);
    else rows.push({ reported: { case: "series", value: { reporter, partner: world, name, responded, points } } });
  }
  if (!rows.some(({ reported }) => reported?.case === "series" && reported.value.responded))
    throw new UpstreamError("WTO has no rows with both sides of the trade of any economy");
  if (empty.length > 0) rows.push({ reported: { case: "empty", value: { reporters: empty } } });
  const missing = new Map([...exports.missing, ...imports.missing].map((one) => [one.part, one]));
  return { rows, rejected, missing: [...missing.values()] };
}
