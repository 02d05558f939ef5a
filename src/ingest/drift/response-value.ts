import { parse as parseCsv } from "csv-parse/sync";
import { libraries } from "../../reference/libraries.ts";

const xmlOptions = { ignoreAttributes: false, processEntities: false, parseTagValue: false };
const maxHeadBytes = 16_384;

/** What the text of an answer holds, as far as its form can be told without knowing the source; undefined for prose and pages. */
export function responseValue(text: string): unknown {
  // A byte order mark is white space.
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

/** In which form an answer comes that can be told from another; undefined for prose and pages. */
export function responseForm(text: string): keyof typeof readers | undefined {
  return responseValue(text) === undefined ? undefined : formOf(text.trim());
}

/** Stands in the form of a table whose last line has an end: where it goes, the answer was cut. */
export const lineEnd = "(end of the last line)";

/** The columns that the first line of a CSV names; nothing where that line is data. */
function tableValue(text: string, whole: string): unknown {
  const end = text.search(/\r?\n/);
  if (end <= 0 || end > maxHeadBytes) return undefined;
  const [head = []] = parseCsv(text.slice(0, end), { bom: true, trim: true, delimiter: [",", ";", "\t"] });
  const names = new Set(head);
  const isHead = head.length > 1 && names.size === head.length && head.every((name) => /^\p{L}/u.test(name));
  const ends = /[\r\n]\s*$/.test(whole) ? [lineEnd] : [];
  return isHead ? [Object.fromEntries([...head, ...ends].map((name) => [name, "text"]))] : undefined;
}

/** The properties of a calendar's events. */
function calendarValue(text: string): unknown {
  const names = text.matchAll(/^([A-Z-]+)[;:]/gm);
  return Object.fromEntries([...names].map(([, name = ""]) => [name, "text"]));
}
