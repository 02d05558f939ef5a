import type { Secret } from "./spelled-secrets.ts";

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
export function toldSecrets(texts: readonly string[]): Secret[] {
  const values = new Set<string>();
  for (const answer of texts)
    for (const form of forms)
      for (const [, , value = ""] of answer.matchAll(form)) for (const each of valuesOf(value)) values.add(each);
  return [...values]
    .filter((value) => value.length >= spreadFrom && !value.startsWith("sample-"))
    .map((value, index) => ({ value, shown: `${shown}-${index + 1}` }));
}

/** The text with nothing in the place of such members that is no placeholder already. */
export function withoutNamed(answer: string): string {
  return forms.reduce(
    (left, form) =>
      left.replace(
        form,
        (_, before: string, value: string) => before + (value.startsWith('"') ? emptied(value) : placeholder(value)),
      ),
    answer,
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
