import { parse as parseCsv } from "csv-parse/sync";
import { UpstreamError } from "../errors.ts";

/** The lines of a CSV, its head among them; anything else throws. */
export function csvLines(who: string, text: string): string[][] {
  if (text.trimStart().startsWith("<")) throw new UpstreamError(`${who} sent HTML, not CSV`);
  try {
    return parseCsv(text, {
      bom: true,
      trim: true,
      relaxColumnCount: true,
      skipEmptyLines: true,
    });
  } catch (cause) {
    throw new UpstreamError(`${who} is no CSV`, { cause });
  }
}
