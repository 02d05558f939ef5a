import type { MessageInitShape } from "@bufbuild/protobuf";
import type { TariffRowSchema } from "../../../../gen/es/ids/stored/v1/trade_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import type { Parsed, Source } from "../../../ingest/source.ts";
import { economies, fetchWto, type Indicator, wtoMetadata, wtoResponseSchema } from "../../../providers/wto/wto.ts";
import { newestYear, readIndicator } from "../../../providers/wto/wto-series.ts";

type Row = MessageInitShape<typeof TariffRowSchema>;

/** The simple average of applied tariffs under the most-favored-nation rule, for all products and partners together. */
export const appliedTariff: Indicator = { code: "TP_A_0010", unit: "PCT" };

export const wtoTariffs: Source<Row> = {
  name: "wto-tariffs",
  ...wtoMetadata,
  rows: { atLeast: 75, mayBeEmpty: false },
  fetch: (upstream) => fetchWto(upstream, [appliedTariff]),
  parse: parseTariffs,
  observedAt: ({ reported }) => newestYear(reported?.case === "series" ? reported.value.points : undefined),
};

function parseTariffs(response: unknown, now: Date): Parsed<Row> {
  const { reporters, batches } = wtoResponseSchema.parse(response);
  const { series, rejected, missing } = readIndicator(batches, appliedTariff, now);
  const rows: Row[] = [];
  const empty: string[] = [];
  for (const [reporter, name] of economies(reporters)) {
    const values = series.get(reporter);
    const points = Array.from(values ?? [], ([year, rate]) => ({ year, rate })).sort((a, b) => a.year - b.year);
    if (values && points.length === 0) empty.push(reporter);
    else
      rows.push({ reported: { case: "series", value: { reporter, name, responded: values !== undefined, points } } });
  }
  if (series.size === empty.length) throw new UpstreamError("WTO has no rows with a tariff of any economy");
  if (empty.length > 0) rows.push({ reported: { case: "empty", value: { reporters: empty } } });
  return { rows, rejected, missing };
}
