import { parse as parseCsv } from "csv-parse/sync";
import { libraries } from "../../reference/libraries.ts";

const xmlOptions = { ignoreAttributes: false, processEntities: false, parseTagValue: false };
const maxHeadBytes = 16_384;

/** Returns undefined for prose and HTML pages. */
export function responseValue(text: string): unknown {
  // A byte order mark counts as white space.
  const start = text.trim();
  const form = formOf(start);
  try {
    return form && readers[form](start, text);
  } catch {
    return undefined;
  }
}

const readers = {
  JSON: (text: string): unknown => JSON.parse(text),
  XML: (text: string): unknown => new (libraries.xml().XMLParser)(xmlOptions).parse(text),
  calendar: calendarValue,
  CSV: tableValue,
};

function formOf(start: string): keyof typeof readers | undefined {
  if (/^[[{]/.test(start)) return "JSON";
  if (/^<\?xml|^<(?:rss|feed|rdf)/i.test(start)) return "XML";
  if (start.startsWith("BEGIN:VCALENDAR")) return "calendar";
  return start.startsWith("<") ? undefined : "CSV";
}

export function responseForm(text: string): keyof typeof readers | undefined {
  return responseValue(text) === undefined ? undefined : formOf(text.trim());
}

/** If this entry is missing in the schema of a table, the response was cut off. */
export const lineEnd = "(end of the last line)";

/** Returns the columns in the header of a CSV file, or undefined if the first line is data. */
function tableValue(text: string, whole: string): unknown {
  const end = text.search(/\r?\n/);
  if (end <= 0 || end > maxHeadBytes) return undefined;
  const [head = []] = parseCsv(text.slice(0, end), { bom: true, trim: true, delimiter: [",", ";", "\t"] });
  const names = new Set(head);
  const isHead = head.length > 1 && names.size === head.length && head.every((name) => /^\p{L}/u.test(name));
  const ends = /[\r\n]\s*$/.test(whole) ? [lineEnd] : [];
  return isHead ? [Object.fromEntries([...head, ...ends].map((name) => [name, "text"]))] : undefined;
}

function calendarValue(text: string): unknown {
  const names = text.matchAll(/^([A-Z-]+)[;:]/gm);
  return Object.fromEntries([...names].map(([, name = ""]) => [name, "text"]));
}
