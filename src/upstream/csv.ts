import { CsvError, parse } from "csv-parse/sync";
import { UpstreamError } from "../egress/upstream-error.ts";

interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

const options = { bom: true, trim: true, relaxColumnCount: true, skipEmptyLines: true } as const;
/** If more rows than this are unreadable, the file is not CSV. */
const maxRejected = 100;
const [maxLinesInRow, maxBytesInRow] = [500, 50_000];

/**
 * Reads the rows of a CSV, including the header. Empty rows are omitted. Only the row with a misplaced quotation mark
 * is rejected. Throws for HTML and for truncated text.
 */
export function readCsv(who: string, text: string) {
  if (text.trimStart().startsWith("<")) throw new UpstreamError(`${who} sent HTML, not CSV`);
  const bytes = Buffer.from(text);
  const rows: CsvRow[] = [];
  const rejected: { readonly row: string; readonly reason: string }[] = [];
  const lineAt = lineCounter(bytes);
  const hasEnd = /[\r\n]\s*$/.test(text);
  const lastCells = text.slice(text.lastIndexOf("\n") + 1).split(",").length;
  for (let start: number | undefined = 0; start !== undefined; ) {
    const read = readUntilFault(bytes.subarray(start), rows[0]?.cells.length);
    for (const { cells, from } of read.rows) rows.push({ line: lineAt(start + from), cells });
    if (!read.fault) break;
    const at: number = start + read.fault.from;
    start = rowAfter(bytes, at, rows[0]?.cells.length);
    const isCut = start === undefined && (read.fault.isOpen || (!hasEnd && lastCells < (rows[0]?.cells.length ?? 0)));
    if (!rows[0] || isCut || rejected.length === maxRejected)
      throw new UpstreamError(`${who} is not CSV or was truncated: check the quotation marks of line ${lineAt(at)}`);
    rejected.push({ row: `line ${lineAt(at)}`, reason: "has a misplaced quotation mark" });
  }
  const [cells = 0, last = 0] = [rows[0]?.cells.length, rows.at(-1)?.cells.length];
  // If a response ends when the connection closes, only an incomplete last line shows that it was truncated.
  if (!hasEnd && last < cells)
    throw new UpstreamError(`${who} was truncated: its last line has no end, and ${last} of ${cells} cells`);
  return { head: rows[0]?.cells ?? [], rows, rejected };
}

/** Reads a table with these columns in any letter case. Rejects rows that have not as many cells as the header. */
export function readCsvTable(who: string, text: string, columns: readonly string[] = []) {
  const { head: given, rows, rejected } = readCsv(who, text);
  const head = given.map((name) => columns.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name);
  const missing = columns.filter((column) => !head.includes(column));
  if (missing.length > 0) throw new UpstreamError(`${who} has no column ${missing.join(", ")}`);
  const records: { readonly line: number; readonly record: Readonly<Record<string, string>> }[] = [];
  for (const { line, cells } of rows.slice(1)) {
    if (cells.length === head.length)
      records.push({ line, record: Object.fromEntries(head.map((column, place) => [column, cells[place] ?? ""])) });
    else rejected.push({ row: `line ${line}`, reason: `has ${cells.length} cells, the head ${head.length}` });
  }
  return { records, rejected };
}

interface Readable {
  readonly rows: readonly { readonly cells: string[]; readonly from: number }[];
  readonly fault?: { readonly from: number; readonly isOpen: boolean };
}

/** Reads rows up to the first unreadable one. `isOpen` is true if the closing quotation mark of that row is missing. */
function readUntilFault(bytes: Buffer, width: number | undefined): Readable {
  const rows: { readonly cells: string[]; readonly from: number }[] = [];
  let from = 0;
  try {
    parse(bytes, {
      ...options,
      onRecord(cells: string[], { bytes: end }) {
        if (cells.some((cell) => cell !== "")) rows.push({ cells, from });
        from = end;
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { rows, fault: { from, isOpen: error.code === "CSV_QUOTE_NOT_CLOSED" } };
  }
  // A misplaced opening quotation mark merges the following lines into its cell, up to the next mark.
  const usual = width ?? rows[0]?.cells.length;
  const isMerged = ({ cells }: { cells: string[] }) => cells.length !== usual && cells.some((cell) => /\n/.test(cell));
  const merged = rows.findIndex(isMerged);
  const fault = rows[merged];
  return fault ? { rows: rows.slice(0, merged), fault: { from: fault.from, isOpen: false } } : { rows };
}

/** Returns where the next row starts after an unreadable one, or undefined. A row has as many commas as the header. */
function rowAfter(bytes: Buffer, from: number, width = 0): number | undefined {
  let start = from;
  while (bytes[start] === 10 || bytes[start] === 13) start++;
  for (let lines = 0; lines < maxLinesInRow; lines++) {
    start = bytes.indexOf("\n", start) + 1;
    if (start === 0) return undefined;
    try {
      const [cells] = parse(bytes.subarray(start, start + maxBytesInRow), { ...options, to: 1 });
      if (cells?.length === width) return start;
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      const [line = ""] = bytes.toString("utf8", start, start + maxBytesInRow).split("\n", 1);
      if (line.split(",").length >= width) return start;
    }
  }
  return undefined;
}

/** Returns a function for the line number of a position. Calls must pass positions in ascending order. */
function lineCounter(bytes: Buffer): (place: number) => number {
  let [line, counted] = [1, 0];
  return (place) => {
    while (counted < place || bytes[counted] === 10 || bytes[counted] === 13) {
      if (bytes[counted] === 10) line += 1;
      counted += 1;
    }
    return line;
  };
}
