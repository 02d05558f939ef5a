import type { Amount } from "../fold.ts";

/**
 * A page of the reference before it becomes HTML or Markdown, so that both have the same content. Texts may contain
 * backticks and links as `[text](address)`, like comments of the contract. No other markup is supported.
 */
export interface ReferencePage {
  /** Path of the page below `/docs`; empty for the overview. */
  readonly slug: string;
  readonly title: string;
  readonly lead: string;
  readonly badges: readonly Badge[];
  readonly intro: readonly Block[];
  /** The example request. On a wide screen, it is next to the body, as are the form and the example response. */
  readonly samples: readonly Block[];
  readonly response: readonly Block[];
  readonly body: readonly Block[];
  /** Form for trying the operation; undefined if it cannot be tried. */
  readonly trial?: Trial;
}

export interface Badge {
  readonly text: string;
  readonly tone: "plain" | "open" | "strict" | "old";
}

export type Block =
  | { readonly kind: "heading"; readonly level: 2 | 3; readonly text: string }
  | { readonly kind: "fold"; readonly text: string; readonly amount: Amount; readonly blocks: readonly Block[] }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "table"; readonly headings: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: "fields"; readonly of: string; readonly fields: readonly FieldEntry[] }
  | Code
  | { readonly kind: "choices"; readonly choices: readonly Code[] };

export interface Code {
  readonly kind: "code";
  readonly label: string;
  readonly language: string;
  readonly text: string;
}

export interface FieldEntry {
  readonly name: string;
  /** Path of the outer field, such as `events[].`; empty for a field of the message itself. */
  readonly before: string;
  readonly depth: number;
  readonly type: string;
  /** Labels such as `required` and `deprecated`. */
  readonly marks: readonly string[];
  readonly text: string;
  /** One sentence each for the default, the limits, and the pattern. */
  readonly metadata: readonly string[];
  readonly values: readonly { readonly name: string; readonly text: string }[];
}

export interface Trial {
  readonly verb: string;
  /** Path of the operation, with `{field}` for each path parameter. */
  readonly path: string;
  /** Parameters in the example request, and parameters that are required. */
  readonly inputs: readonly TrialInput[];
  readonly furtherInputs: readonly TrialInput[];
  /** Example of a JSON body; undefined if the request has none. */
  readonly body?: string;
  /** API key for the request; empty if the user must enter one, and undefined if none is required. */
  readonly key?: string;
}

export interface TrialInput {
  readonly name: string;
  readonly in: "path" | "query";
  readonly type: "text" | "number" | "choice" | "list";
  readonly required: boolean;
  readonly value: string;
  readonly example: string;
  readonly choices: readonly string[];
}

export const badge = (content: string, tone: Badge["tone"]): Badge => ({ text: content, tone });
export const heading = (text: string, level: 2 | 3 = 2): Block => ({ kind: "heading", level, text });
export const text = (content: string): Block => ({ kind: "text", text: content });
export const list = (items: readonly string[]): Block => ({ kind: "list", items });
export const fields = (of: string, entries: readonly FieldEntry[]): Block => ({ kind: "fields", of, fields: entries });
export const json = (label: string, value: unknown): Code => code(label, "json", JSON.stringify(value, null, 2));

export function code(label: string, language: string, content: string): Code {
  return { kind: "code", label, language, text: content };
}

export function table(headings: readonly string[], rows: readonly (readonly string[])[]): Block {
  return { kind: "table", headings, rows };
}

export function prose(comment: string): Block[] {
  const paragraphs = comment.split(/\n\s*\n/).filter((paragraph) => paragraph !== "");
  return paragraphs.map((paragraph) => text(paragraph.replaceAll("\n", " ")));
}

export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
