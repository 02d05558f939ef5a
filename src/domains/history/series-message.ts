import type { MessageInitShape } from "@bufbuild/protobuf";
import type { SeriesSchema } from "../../../gen/es/ids/history/v1/history_pb.ts";
import type { ScheduledDataset } from "../../ingest/schedule/scheduled.ts";
import { type Series, sourcesOf } from "../../ingest/series/series.ts";
import type { SeriesExtent } from "../../store/history/stored-points.ts";
import { earliest } from "./sample-points.ts";

/** A series as callers see it. */
export function seriesMessage(
  series: Series,
  { name, sources }: ScheduledDataset,
  { extent, data }: { readonly extent: SeriesExtent | undefined; readonly data: "live" | "sample" },
): MessageInitShape<typeof SeriesSchema> & { readonly id: string } {
  const { id, title, unit, scale, keyParts, step, shownBy, methodology, isCount } = series;
  const first = extent?.first && (data === "sample" ? earliest(series, extent.first) : extent.first);
  return {
    id,
    title,
    unit,
    scale,
    keyParts: [...keyParts],
    step,
    dataset: name,
    operation: shownBy.name,
    methodologyVersion: methodology,
    aggregation: isCount === true ? "sum" : "last",
    sources: [
      ...sourcesOf(
        series,
        sources.map((source) => source.name),
      ),
    ],
    keys: extent?.keys ?? 0,
    ...(first && { firstAt: BigInt(first.getTime()) }),
    ...(extent?.last && { lastAt: BigInt(extent.last.getTime()) }),
  };
}
