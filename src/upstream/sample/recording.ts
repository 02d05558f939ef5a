import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { UpstreamError } from "../../egress/upstream-error.ts";
import { spellings } from "../../reference/spellings.ts";
import type { UpstreamRequest } from "../upstream.ts";
import { indexFile, patternOf } from "./recorded.ts";
import type { SampleIndex } from "./sample.ts";
import { type Secret, withoutSecrets } from "./spelled-secrets.ts";

/** Names of members that contain secrets. `key` and `nextPageToken` are not included, because they are often data. */
const names = [
  "(?:(?:access|refresh|id|auth|bearer|session|csrf|xsrf)[_-]?)?token",
  "(?:api|access|secret|private|subscription)[_-]?key",
  "(?:client[_-]?)?secret",
  "password|passwd|passphrase|(?:proxy[_-]?)?authorization|(?:set[_-]?)?cookie|session[_-]?id|jwt",
].join("|");
const name = `(?:x[_-])?(?:${names})`;
const text = '"(?:[^"\\\\]|\\\\.)*"';

/** Patterns that find secrets by name. Each has two groups: the name with its separator, and the value. */
const forms = [
  // These patterns are for JSON, and for JSON within a JSON string.
  new RegExp(`("${name}"\\s*:\\s*)(${text}|-?\\d[\\d.e+-]*)`, "gis"),
  new RegExp(`("${name}"\\s*:\\s*\\[\\s*)(${text}(?:\\s*,\\s*${text})*)`, "gis"),
  new RegExp(`(\\\\"${name}\\\\+"\\s*:\\s*\\\\+")([^"\\\\]+)`, "gi"),
  // These patterns are for forms, the query of a URL, and XML.
  new RegExp(`((?:^|[?&;\\s"'>])${name}=)([^&;\\s"'<>\\\\]+)`, "gi"),
  new RegExp(`(<${name}>)([^<]+)`, "gi"),
] as const;

/** A secret shorter than this may be an ordinary word, so it is removed only after the name of its variable. */
const spreadFrom = 8;
const shown = "recorded-secret";

/** Returns the values of members that are named like secrets, because other requests may repeat them. */
function disclosedSecrets(texts: readonly string[]): Secret[] {
  const values = new Set<string>();
  for (const response of texts)
    for (const form of forms)
      for (const [, , value = ""] of response.matchAll(form)) for (const each of valuesOf(value)) values.add(each);
  return [...values]
    .filter((value) => value.length >= spreadFrom && !value.startsWith("sample-"))
    .map((value, index) => ({ value, shown: `${shown}-${index + 1}` }));
}

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

export interface RecordedExchange {
  readonly request: UpstreamRequest;
  readonly text?: string;
  readonly failure?: UpstreamError;
}

/** The secrets to remove. Sample values replace those in `keys`. `mask` hides all other configured secrets. */
export interface Redaction {
  readonly keys: readonly Secret[];
  readonly mask: (text: string) => string;
}

export interface Redactor {
  /** Adds the secrets that responses disclose, because they may occur in other requests and responses. */
  readonly learn: (texts: readonly string[]) => void;
  /** Removes all known secrets from a URL or a body. */
  readonly known: (text: string) => string;
  /** Removes known secrets from a body, and the values of members that have the name of a secret. */
  readonly body: (text: string) => string;
}

/** Creates a redactor. In texts that are longer than `maxSearched`, it searches only the source's own keys. */
export function createRedactor({ keys, mask }: Redaction, maxSearched = Number.POSITIVE_INFINITY): Redactor {
  const secrets = [...keys];
  const known = (text: string) => mask(withoutSecrets(text, secrets));
  return {
    learn: (texts) => void secrets.push(...disclosedSecrets(texts.filter(({ length }) => length <= maxSearched))),
    known,
    body: (text) => (text.length <= maxSearched ? withoutNamed(known(text)) : withoutSpellings(text, keys)),
  };
}

function withoutSpellings(text: string, keys: readonly Secret[]): string {
  return keys.reduce(
    (left, { value, shown }) => spellings(value).reduce((masked, spelling) => masked.replaceAll(spelling, shown), left),
    text,
  );
}

/** Writes responses as a sample, without secrets. Their dates remain unchanged. */
export function writeRecording(
  directory: string,
  source: string,
  exchanges: readonly RecordedExchange[],
  { at, rows, keys, mask }: Redaction & { readonly at: Date; readonly rows: number },
): void {
  const folder = join(directory, source);
  const { learn, known, body } = createRedactor({ keys, mask });
  learn(exchanges.map(({ text = "" }) => text));
  if (!existsSync(folder)) mkdirSync(folder);
  const responses = exchanges.map(({ request, text = "", failure }, index): SampleIndex["responses"][number] => {
    const file = `${String(index + 1).padStart(3, "0")}.${endingOf(text)}`;
    writeFileSync(join(folder, file), body(text), { mode: 0o600 });
    const query = queryOf(request, known);
    return {
      match: patternOf(known(request.url)),
      ...(query && { query }),
      file,
      ...(failure && { status: failure.status ?? 0 }),
    };
  });
  const note = `Recorded from ${source}; its license applies to these responses.`;
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

function queryOf({ form, body }: UpstreamRequest, shown: (text: string) => string): Record<string, string> | undefined {
  const members = Object.entries({ ...form, ...body }).filter(([, value]) => typeof value !== "object");
  return members.length === 0
    ? undefined
    : Object.fromEntries(members.map(([name, value]) => [name, shown(String(value))]));
}
