import { parse as parseCsv } from "csv-parse/sync";
import { UpstreamError } from "../errors.ts";

/** The lines of a CSV, its head among them; anything else throws. */
export function csvLines(who: string, text: string): string[][] {
  if (text.trimStart().startsWith("<")) throw new UpstreamError(`${who} sent HTML, not CSV`);
  try {
    const lines = parseCsv(text, { bom: true, trim: true, relaxColumnCount: true, skipEmptyLines: true });
    return demandWhole(who, text, lines);
  } catch (cause) {
    if (cause instanceof UpstreamError) throw cause;
    throw new UpstreamError(`${who} is no CSV`, { cause });
  }
}

/** The lines; throws where the text breaks off within the last: where a connection's end is an answer's end, nothing else tells. */
export function demandWhole(who: string, text: string, lines: string[][]): string[][] {
  const [cells = 0, last = 0] = [lines[0]?.length, lines.at(-1)?.length];
  if (/[\r\n]\s*$/.test(text) || last >= cells) return lines;
  throw new UpstreamError(`${who} was cut: its last line has no end, and ${last} of ${cells} cells`);
}
