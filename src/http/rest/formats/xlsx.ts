import { once } from "node:events";
import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import type { Column, Place } from "../../../contract/columns.ts";
import type { Table } from "../../../contract/tables.ts";
import { type InvalidRequest, invalidField } from "../../../errors.ts";
import { libraries } from "../../../reference/libraries.ts";
import { describedColumn, type FileMetadata, provenanceOf } from "./file-metadata.ts";
import { type FileWriter, type WalkStreamer, wholeWalk } from "./row-stream.ts";
import {
  type CellXml,
  cellXml,
  headerXml,
  packageParts,
  rowXml,
  sheetBegin,
  sheetEnd,
  textXml,
  widthOf,
} from "./xlsx-sheet.ts";

/** Maximum number of rows that Excel reads, without the header. */
const maxRows = 1_048_575;
/** Rows that are written before other requests run: a few milliseconds. Compression runs in other threads. */
const rowsAtOnce = 100;
/** The files in the workbook have a fixed time, so that the same data has the same bytes. */
const undated = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

interface WrittenColumn {
  readonly read: Column["read"];
  readonly xml: CellXml;
}

/** Writes a workbook (ECMA-376): the first sheet has the rows, the second says what they are. */
export const xlsxWalk: WalkStreamer = (table, metadata) => {
  const columns = table.columns.map((column): WrittenColumn => ({ read: column.read, xml: cellXml(column) }));
  const zip = new (libraries.zip().ZipFile)();
  const sheet = new PassThrough();
  const pieces: Buffer[] = [];
  zip.outputStream.on("data", (piece: Buffer) => pieces.push(piece));
  const take = () => Buffer.concat(pieces.splice(0));
  /** Writes to the sheet. If compression is behind, waits for it, so that memory stays bounded. */
  const put = async (xml: string) => {
    if (!sheet.write(xml)) await once(sheet, "drain");
  };
  let count = 0;
  return {
    async begin() {
      for (const [path, xml] of Object.entries(packageParts("Data", "About")))
        zip.addBuffer(Buffer.from(xml), path, { ...undated, compress: false });
      zip.addBuffer(Buffer.from(aboutSheet(table, metadata)), "xl/worksheets/sheet2.xml", undated);
      zip.addReadStream(sheet, "xl/worksheets/sheet1.xml", undated);
      const names = table.columns.map(({ name }) => headerXml(name));
      await put(sheetBegin(table.columns.map(widthOf), true) + rowXml(1, names));
      return take();
    },
    async rows(places) {
      const before = count + 2;
      count += places.length;
      if (count > maxRows) throw tooManyRows();
      for (let from = 0; from < places.length; from += rowsAtOnce) {
        await turn();
        const some = places.slice(from, from + rowsAtOnce);
        await put(some.map((place, index) => rowOf(columns, place, before + from + index)).join(""));
      }
      return take();
    },
    async end() {
      zip.end();
      sheet.end(sheetEnd);
      await once(zip.outputStream, "end");
      return take();
    },
    [Symbol.dispose]: () => void sheet.destroy(),
  };
};

export const xlsxWhole: FileWriter = (table, metadata, raw, places) =>
  wholeWalk(xlsxWalk(table, metadata, raw), places, rowsAtOnce);

function rowOf(columns: readonly WrittenColumn[], place: Place, number: number): string {
  const cells = columns.map(({ read, xml }) => {
    const value = read(place);
    return value === null ? undefined : xml(value);
  });
  return rowXml(number, cells);
}

function tooManyRows(): InvalidRequest {
  const description = `value must be another format, such as csv: a sheet has at most ${maxRows} rows`;
  return invalidField("format", description);
}

/** Returns the title, the origin, and the terms of the data, and the unit and the description of each column. */
function aboutSheet({ columns }: Table, metadata: FileMetadata): string {
  const properties = Object.entries({ title: metadata.title, ...provenanceOf(metadata) });
  const rows = [
    ...properties.map(([name, value]) => [headerXml(name), textXml([value].flat().join(", "))]),
    [],
    ["column", "unit", "description"].map(headerXml),
    ...columns
      .map(describedColumn)
      .map(({ name, unit = "", description = "" }) => [name, unit, description].map(textXml)),
  ];
  const body = rows.map((cells, index) => rowXml(index + 1, cells)).join("");
  return `${sheetBegin([30, 30, 90], false)}${body}${sheetEnd}`;
}
