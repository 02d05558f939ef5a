import type { Amount } from "../fold.ts";

/**
 * A page of the reference before it is HTML or Markdown, so that both say the same. Every text may have parts in back-ticks
 * and links as `[text](address)`, as the comments of the contract have; nothing else in it has a meaning.
 */
export interface ReferencePage {
  /** Address below `/docs`; empty for the overview. */
  readonly slug: string;
  readonly title: string;
  /** One sentence. */
  readonly lead: string;
  readonly badges: readonly Badge[];
  /** Above everything else. */
  readonly intro: readonly Block[];
  /** Beside the body where there is room: how to ask and what comes. */
  readonly samples: readonly Block[];
  readonly body: readonly Block[];
  /** What is tried from the page; absent where there is nothing to try. */
  readonly trial?: Trial;
}

export interface Badge {
  readonly text: string;
  readonly tone: "plain" | "open" | "strict" | "old";
}

export type Block =
  | { readonly kind: "heading"; readonly level: 2 | 3; readonly text: string }
  /** A heading with what stands below it, which is shown when it is asked for. */
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
  /** As Markdown names it. */
  readonly language: string;
  readonly text: string;
}

/** A parameter, a member of a body or of an answer. */
export interface FieldEntry {
  readonly name: string;
  /** Where it stands, such as `events[].`; empty at the top. */
  readonly before: string;
  readonly depth: number;
  readonly type: string;
  /** `required`, `deprecated` and the like. */
  readonly marks: readonly string[];
  readonly text: string;
  /** Default, bounds and pattern, a sentence each. */
  readonly metadata: readonly string[];
  /** The values of an enum and what they mean. */
  readonly values: readonly { readonly name: string; readonly text: string }[];
}

/** The form from which a request is sent. */
export interface Trial {
  readonly verb: string;
  /** With `{field}` where the path has a parameter. */
  readonly path: string;
  readonly inputs: readonly TrialInput[];
  /** The body as it is proposed; absent where the request has none. */
  readonly body?: string;
  /** Absent where no key is needed; empty where the caller has to bring one. */
  readonly key?: string;
}

export interface TrialInput {
  readonly name: string;
  readonly in: "path" | "query";
  readonly type: "text" | "number" | "choice" | "list";
  readonly required: boolean;
  /** Filled in at first. */
  readonly value: string;
  readonly example: string;
  readonly choices: readonly string[];
}

export const heading = (text: string, level: 2 | 3 = 2): Block => ({ kind: "heading", level, text });
export const text = (content: string): Block => ({ kind: "text", text: content });

/** A comment of the contract, a block for each of its paragraphs. */
export function prose(comment: string): Block[] {
  const paragraphs = comment.split(/\n\s*\n/).filter((paragraph) => paragraph !== "");
  return paragraphs.map((paragraph) => text(paragraph.replaceAll("\n", " ")));
}

/** The anchor of a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
