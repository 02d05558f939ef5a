import { printable } from "../reference/printable.ts";

export const citeParameter = "cite";
export const citationForms = ["text", "bibtex"] as const;

export type CitationForm = (typeof citationForms)[number];

export const citationTypes: Readonly<Record<CitationForm, string>> = {
  text: "text/plain; charset=utf-8",
  bibtex: "application/x-bibtex; charset=utf-8",
};

/** Who publishes a source, and the attribution that its terms require. */
export interface SourceTerms {
  readonly publisher: string;
  readonly terms: string;
}

/** The contents of a citation of a response. Times are in RFC 3339. */
export interface Citation {
  /** Identifies the citation in a bibliography, such as `ids-list-conflict-events-1a2b3c4d`. */
  readonly id: string;
  readonly title: string;
  readonly sources: readonly SourceTerms[];
  readonly isSample: boolean;
  /** Time of the last successful read of the data. Undefined if unknown. */
  readonly readAt: string | undefined;
  readonly accessedAt: string;
  /** Absolute address of the response. It has `as_of` unless the read supports only current data. */
  readonly address: string;
  /** Digest of the bytes in hexadecimal digits. */
  readonly sha256: string;
  /** Whether the address returns the response only with an API key. */
  readonly needsKey: boolean;
  /** Time until which the address returns the same bytes: `forever` if always, undefined if that is not promised. */
  readonly until: string | "forever" | undefined;
}

const service = "Intelligence Data Service";

export function writeCitation(form: CitationForm, citation: Citation): string {
  return form === "text" ? textOf(citation) : bibtexOf(citation);
}

function textOf(citation: Citation): string {
  const { title, accessedAt } = citation;
  const sentences = [
    ...(citation.isSample ? [sampleWarning] : []),
    `${title}.`,
    ...sourcesSentence(citation),
    ...readSentence(citation),
    `${service}, ${citedAddress(citation)} (accessed ${accessedAt.slice(0, 10)}).`,
    promiseOf(citation),
  ];
  return `${printable(sentences.join(" "))}\n`;
}

const sampleWarning = "SAMPLE DATA: the values are invented, do not cite them.";

/** Names each publisher and the terms. Commas separate them, because some terms contain semicolons. */
function sourcesSentence({ sources }: Citation): string[] {
  const named = sources.map(({ publisher, terms }) => `${publisher} (${terms})`);
  return named.length > 0 ? [`Sources: ${named.join(", ")}.`] : [];
}

function readSentence({ readAt }: Citation): string[] {
  return readAt === undefined ? [] : [`Read from the sources at ${readAt}.`];
}

/**
 * Adds the digest to the address as a fragment, which clients do not send, so that both stay together. If the same
 * bytes are not promised, the digest is left out, because it would not match the next response.
 */
function citedAddress({ address, sha256, until }: Citation): string {
  return until === undefined ? address : `${address}#sha256=${sha256}`;
}

function promiseOf({ until, needsKey }: Citation): string {
  const key = needsKey ? " It requires an API key." : "";
  if (until === undefined) return `The address returns current data, so its bytes change.${key}`;
  const end = until === "forever" ? "without an end date" : `until ${until}`;
  return `The address returns these bytes ${end}, unless a new release of the service changes the response.${key}`;
}

function bibtexOf(citation: Citation): string {
  const { id, title, accessedAt, isSample } = citation;
  const publishers = [...new Set(citation.sources.map(({ publisher }) => publisher))];
  const notes = [
    ...(isSample ? [sampleWarning] : []),
    ...sourcesSentence(citation),
    ...readSentence(citation),
    promiseOf(citation),
  ];
  const fields = [
    ["title", `{${escaped(title)}}`],
    // Braces keep the name of an organization in one piece.
    ...(publishers.length > 0
      ? [["author", publishers.map((name) => `{${escaped(name)}}`).join(" and ")] as const]
      : []),
    ["publisher", `{${service}}`],
    ["year", accessedAt.slice(0, 4)],
    ["url", escapedUrl(citedAddress(citation))],
    ["urldate", accessedAt.slice(0, 10)],
    ["note", escaped(notes.join(" "))],
  ] as const;
  return `@misc{${id},\n${fields.map(([name, value]) => `  ${name} = {${value}},\n`).join("")}}\n`;
}

const latexNames: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "^": "\\textasciicircum{}",
  "~": "\\textasciitilde{}",
};

/** Escapes the characters that have a meaning in LaTeX, because titles contain text from clients. */
function escaped(text: string): string {
  return printable(text).replace(/[\\{}$&#%_^~]/g, (letter) => latexNames[letter] ?? `\\${letter}`);
}

/** A brace or a backslash would end the field, so both are percent-encoded. */
function escapedUrl(address: string): string {
  return printable(address).replace(/[{}\\]/g, encodeURIComponent);
}
