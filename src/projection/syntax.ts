import { compile, tokenize } from "jmespath";
import { InvalidExpression, ProjectionFailed } from "./projection-errors.ts";
import type { Json } from "./value.ts";

declare module "jmespath" {
  /** Parses an expression. Throws errors of several types, including JavaScript's own. */
  export function compile(expression: string): Syntax | undefined;
  /** Splits an expression into tokens. An invalid operator becomes `undefined`. */
  export function tokenize(expression: string): readonly (Token | undefined)[];
}

/** A syntax tree of the JMESPath library. Invalid parts that the library accepts are `undefined` or NaN. */
export type Syntax =
  | { readonly type: "Identity" }
  | { readonly type: "Current" }
  | { readonly type: "Literal"; readonly value: Json }
  | { readonly type: "Field"; readonly name: string }
  | { readonly type: "Index"; readonly value: number }
  | { readonly type: "Slice"; readonly children: Bounds }
  | { readonly type: "NotExpression" | "Flatten" | "ExpressionReference"; readonly children: readonly [Part] }
  | { readonly type: Pairwise; readonly children: readonly [Part, Part] }
  | { readonly type: "Comparator"; readonly name: Comparison; readonly children: readonly [Part, Part] }
  | { readonly type: "FilterProjection"; readonly children: readonly [list: Part, each: Part, condition: Part] }
  | { readonly type: "MultiSelectList"; readonly children: readonly Part[] }
  | { readonly type: "MultiSelectHash"; readonly children: readonly { readonly name: string; readonly value: Part }[] }
  | { readonly type: "Function"; readonly name: string | undefined; readonly children: readonly Part[] };

type Part = Syntax | undefined;
type Pairwise =
  | "Subexpression"
  | "IndexExpression"
  | "Pipe"
  | "Projection"
  | "ValueProjection"
  | "OrExpression"
  | "AndExpression";

/** Start, end and step of a slice. */
export type Bounds = readonly [start: number | null, end: number | null, step: number | null];
export type Comparison = "EQ" | "NE" | "LT" | "LTE" | "GT" | "GTE";

/** A token of an expression, with the index of its first character. */
interface Token {
  readonly type: string;
  readonly start: number;
}

/** Parses an expression. Throws `InvalidExpression`. */
export function parse(expression: string): Syntax | undefined {
  try {
    return compile(normalized(expression));
  } catch (error) {
    if (error instanceof ProjectionFailed) throw error;
    throw new InvalidExpression(reasonOf(error));
  }
}

/** Returns a message for the client. Internal errors of the library get a general message. */
function reasonOf(error: unknown): string {
  const own = error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError);
  return own ? error.message : "Syntax error";
}

/**
 * Rewrites an expression so that the parser reads it correctly. The parser takes `@` for a whole argument, and reads
 * only the first escaped quote of a raw string. It also accepts missing commas and open quotes, which are rejected
 * here.
 */
function normalized(expression: string): string {
  // An `@` is added at the end. If a quote is open, the `@` becomes part of the quoted text instead of a token.
  const tokens = tokenize(`${expression} @`);
  if (tokens.at(-1)?.start !== expression.length + 1) throw new InvalidExpression("Unclosed quote");
  const words: string[] = [];
  let last: Token | undefined;
  for (const [index, token] of tokens.slice(0, -1).entries()) {
    if (!token) throw new InvalidExpression("Invalid token: =");
    const word = expression.slice(token.start, tokens[index + 1]?.start).trimEnd();
    checkNeighbors(last, token, word);
    words.push(rewritten(token, word));
    last = token;
  }
  return words.join(" ");
}

const names = ["UnquotedIdentifier", "QuotedIdentifier"];
const closers = ["Rparen", "Rbracket", "Rbrace"];
/** Types of tokens that can end an expression. If a token that starts one follows, a comma is missing. */
const ends = new Set([...names, ...closers, "Literal", "Current", "Star", "Flatten"]);
const starts = new Set([...names, "Literal", "Current", "Not", "Expref", "Lbrace", "Star"]);

function checkNeighbors(last: Token | undefined, token: Token, word: string): void {
  if (token.type === "Number" && !/^-?\d+$/.test(word)) throw new InvalidExpression(`Invalid number: ${word}`);
  if (!last) return;
  if (ends.has(last.type)) {
    if (starts.has(token.type)) throw new InvalidExpression(`Expected an operator or a comma before ${word}`);
    if (token.type === "Lparen" && last.type !== "UnquotedIdentifier")
      throw new InvalidExpression("Expected a function name before (");
  }
  if (closers.includes(token.type) && (last.type === "Comma" || last.type === "Lbracket"))
    throw new InvalidExpression(`Expected an expression before ${word}`);
}

function rewritten({ type }: Token, word: string): string {
  if (type === "Current") return "(@)";
  if (type !== "Literal" || word.startsWith("`")) return word;
  const text = word.slice(1, -1).replace(/\\[\\']/g, (escaped) => (escaped === "\\'" ? "'" : escaped));
  return `\`${JSON.stringify(text).replaceAll("`", "\\u0060")}\``;
}
