import type { Message } from "@bufbuild/protobuf";
import type { Place } from "../../../contract/columns.ts";
import { type FeedFormat, type FileFormat, isFeed, mediaTypes } from "../../../contract/file-format.ts";
import type { JsonObject } from "../../../contract/request/body.ts";
import { NotFound, NothingToServe } from "../../../errors.ts";
import type { Basis, Form } from "../prepared-response.ts";
import { csvStream } from "./csv.ts";
import { csvwFile } from "./csvw.ts";
import { feedFile } from "./feed.ts";
import type { FileRequest } from "./file-request.ts";
import { geojsonStream } from "./geojson.ts";
import { ndjsonStream } from "./ndjson.ts";
import { parquetWalk, parquetWhole } from "./parquet.ts";
import type { PlanBasis, RowPlan, RowPlanner } from "./row-plan.ts";
import {
  atOnce,
  type FileWriter,
  type RowStreamer,
  type WalkStream,
  type WalkStreamer,
  wholeFile,
} from "./row-stream.ts";
import { xlsxWalk, xlsxWhole } from "./xlsx.ts";

type WrittenFormat = Exclude<FileFormat, FeedFormat | "csvw">;

const streams: Readonly<Record<WrittenFormat, { whole: FileWriter; walk: WalkStreamer }>> = {
  csv: text(csvStream),
  ndjson: text(ndjsonStream),
  geojson: text(geojsonStream),
  parquet: { whole: parquetWhole, walk: parquetWalk },
  xlsx: { whole: xlsxWhole, walk: xlsxWalk },
};

function text(stream: RowStreamer) {
  const whole: FileWriter = (table, metadata, raw, places) => wholeFile(stream(table, metadata, raw), places);
  return { whole, walk: atOnce(stream) };
}

/**
 * Rejects a file of data that JSON returns only with a flag, since a table cannot contain the flag. A table without rows would
 * look like "nothing there", and one with expired rows like current data. Throws `NothingToServe`, or `NotFound` if there never
 * will be rows.
 */
export function requireConfirmed(
  { table }: Pick<FileRequest, "table">,
  response: JsonObject,
  { isUnconfirmed = false, isExpired = false }: Pick<Basis, "isUnconfirmed" | "isExpired">,
): void {
  const { unavailableReason: reason = "" } = response;
  const isReported = !["", "UNSPECIFIED"].includes(String(reason));
  const isEmpty = () => table.rowsIn(response, {}).length === 0;
  if (!isExpired && !((isUnconfirmed || isReported) && isEmpty())) return;
  if (isUnconfirmed || isExpired)
    throw new NothingToServe("There is no confirmed data for a file now. Use JSON, which flags unconfirmed data");
  throw new NotFound(`There are no rows to write to a file: ${reason}`);
}

const withheldHeader = "X-Data-Withheld";

export interface PlannedFile extends RowPlan {
  readonly mediaType: string;
  /** Headers in addition to those of the JSON response, as alternating names and values. */
  readonly headers: readonly string[];
  readonly stream: () => WalkStream;
  readonly whole: (rows: readonly Place[]) => Buffer | Promise<Buffer>;
}

export type FilePlanner = (file: FileRequest, message: Message, basis: PlanBasis) => PlannedFile;

export function filePlanner(planRows: RowPlanner): FilePlanner {
  return (file, message, basis) => {
    const { format, raw, feed = { origin: "", isOwn: true } } = file;
    const plan = planRows(file, message, basis);
    const { table, metadata, urlOf } = plan;
    const { whole, walk } = streams[isFeed(format) || format === "csvw" ? "csv" : format];
    return {
      ...plan,
      mediaType: mediaTypes[format] + (typeParameters[format] ?? ""),
      headers: [
        "Content-Disposition",
        // A browser or reader must open a feed, and not save it as a file.
        `${isFeed(format) ? "inline" : "attachment"}; filename="${metadata.name}.${fileEndings[format]}"`,
        ...(metadata.withheld.length > 0 ? [withheldHeader, metadata.withheld.join(", ")] : []),
        ...(format === "csvw" ? [] : ["Link", `<${urlOf("csvw")}>; rel="describedby"; type="${mediaTypes.csvw}"`]),
      ],
      stream: () => walk(table, metadata, raw),
      whole(rows) {
        if (isFeed(format)) return feedFile(plan, format, feed, rows);
        return format === "csvw" ? csvwFile(table, metadata) : whole(table, metadata, raw, rows);
      },
    };
  };
}

export function fileWriter(plan: FilePlanner) {
  return (file: FileRequest, message: Message, basis: Basis): Form | Promise<Form> => {
    const response = basis.plain();
    requireConfirmed(file, response, basis);
    const { mediaType, headers, rowsOf, whole } = plan(file, message, basis);
    const body = whole(rowsOf(response));
    const formOf = (bytes: Buffer): Form => ({ body: bytes, mediaType, headers });
    return body instanceof Promise ? body.then(formOf) : formOf(body);
  };
}

export const fileEndings: Readonly<Record<FileFormat, string>> = {
  ndjson: "ndjson",
  csv: "csv",
  geojson: "geojson",
  parquet: "parquet",
  csvw: "csv-metadata.json",
  xlsx: "xlsx",
  atom: "atom",
  jsonfeed: "json",
  ics: "ics",
};

const typeParameters: Readonly<Partial<Record<FileFormat, string>>> = {
  csv: "; charset=utf-8; header=present",
  atom: "; charset=utf-8",
  ics: "; charset=utf-8",
};
