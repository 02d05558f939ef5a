import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { UpstreamError } from "../../errors.ts";
import type { UpstreamRequest } from "../upstream.ts";
import { indexFile, patternOf } from "./recorded.ts";
import type { SampleIndex } from "./sample.ts";
import { type Secret, withoutSecrets } from "./spelled-secrets.ts";

/** Members that hold what opens something, whoever's answer it is. `key` and `nextPageToken` are data in many. */
const names = [
  "(?:(?:access|refresh|id|auth|bearer|session|csrf|xsrf)[_-]?)?token",
  "(?:api|access|secret|private|subscription)[_-]?key",
  "(?:client[_-]?)?secret",
  "password|passwd|passphrase|(?:proxy[_-]?)?authorization|(?:set[_-]?)?cookie|session[_-]?id|jwt",
].join("|");
const name = `(?:x[_-])?(?:${names})`;
const text = '"(?:[^"\\\\]|\\\\.)*"';

/** Each with the name before the value, and the value. */
const forms = [
  // JSON, and JSON in a text of JSON.
  new RegExp(`("${name}"\\s*:\\s*)(${text}|-?\\d[\\d.e+-]*)`, "gis"),
  new RegExp(`("${name}"\\s*:\\s*\\[\\s*)(${text}(?:\\s*,\\s*${text})*)`, "gis"),
  new RegExp(`(\\\\"${name}\\\\+"\\s*:\\s*\\\\+")([^"\\\\]+)`, "gi"),
  // A form, or the query of an address.
  new RegExp(`((?:^|[?&;\\s"'>])${name}=)([^&;\\s"'<>\\\\]+)`, "gi"),
  new RegExp(`(<${name}>)([^<]+)`, "gi"),
] as const;

/** Shorter ones may be words of the rest, and are left out where they are named alone. */
const spreadFrom = 8;
const shown = "recorded-secret";

/** What answers call a token, a password or the like: it may come again, in another answer or in a request. */
function disclosedSecrets(texts: readonly string[]): Secret[] {
  const values = new Set<string>();
  for (const response of texts)
    for (const form of forms)
      for (const [, , value = ""] of response.matchAll(form)) for (const each of valuesOf(value)) values.add(each);
  return [...values]
    .filter((value) => value.length >= spreadFrom && !value.startsWith("sample-"))
    .map((value, index) => ({ value, shown: `${shown}-${index + 1}` }));
}

/** The text with nothing in the place of such members that is no placeholder already. */
function withoutNamed(response: string): string {
  return forms.reduce(
    (left, form) =>
      left.replace(
        form,
        (_, before: string, value: string) => before + (value.startsWith('"') ? emptied(value) : placeholder(value)),
      ),
    response,
  );
}

function emptied(value: string): string {
  return value.replace(new RegExp(text, "gs"), (quoted) => `"${placeholder(quoted.slice(1, -1))}"`);
}

function placeholder(value: string): string {
  if (/^-?\d[\d.e+-]*$/i.test(value)) return "0";
  return value === "" || value.startsWith(shown) || value.startsWith("sample-") || value === "***" ? value : shown;
}

function valuesOf(value: string): string[] {
  if (!value.startsWith('"')) return [value];
  return [...value.matchAll(new RegExp(text, "gs"))].map(([quoted]) => unquoted(quoted));
}

function unquoted(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}

/** What came of one request. */
export interface RecordedExchange {
  readonly request: UpstreamRequest;
  readonly text?: string;
  readonly failure?: UpstreamError;
}

/** What must not be written: `keys` are the source's own, with what its sample is asked with in their place; `mask` takes out any other. */
export interface Redaction {
  readonly keys: readonly Secret[];
  readonly mask: (text: string) => string;
}

/** Writes a source's exchanges as a folder in the form of a sample, below `directory`, which is there: without keys, with the dates as they were. */
export function writeRecording(
  directory: string,
  source: string,
  exchanges: readonly RecordedExchange[],
  { at, rows, keys, mask }: Redaction & { readonly at: Date; readonly rows: number },
): void {
  const folder = join(directory, source);
  const secrets = [...keys, ...disclosedSecrets(exchanges.map(({ text = "" }) => text))];
  const shown = (text: string) => mask(withoutSecrets(text, secrets));
  if (!existsSync(folder)) mkdirSync(folder);
  const responses = exchanges.map(({ request, text = "", failure }, index): SampleIndex["responses"][number] => {
    const file = `${String(index + 1).padStart(3, "0")}.${endingOf(text)}`;
    writeFileSync(join(folder, file), withoutNamed(shown(text)), { mode: 0o600 });
    const query = queryOf(request, shown);
    return {
      match: patternOf(shown(request.url)),
      ...(query && { query }),
      file,
      ...(failure && { status: failure.status ?? 0 }),
    };
  });
  const note = `Recorded from ${source}; what may be done with it its licence says.`;
  const index: SampleIndex = { note, rows, recordedAt: at.toISOString(), responses };
  writeFileSync(join(folder, indexFile), `${JSON.stringify(index, null, 2)}\n`, { mode: 0o600 });
}

function endingOf(text: string): string {
  const start = text.trimStart().slice(0, 200);
  if (start === "") return "txt";
  if (/^[[{]/.test(start)) return "json";
  if (/^<(?:!doctype html|html)/i.test(start)) return "html";
  if (start.startsWith("<")) return "xml";
  return start.startsWith("BEGIN:VCALENDAR") ? "ics" : "csv";
}

/** The members of a form or a body that tell its requests apart. */
function queryOf({ form, body }: UpstreamRequest, shown: (text: string) => string): Record<string, string> | undefined {
  const members = Object.entries({ ...form, ...body }).filter(([, value]) => typeof value !== "object");
  return members.length === 0
    ? undefined
    : Object.fromEntries(members.map(([name, value]) => [name, shown(String(value))]));
}
