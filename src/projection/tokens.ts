import { tokenize } from "jmespath";
import { InvalidExpression } from "./projection-errors.ts";
import type { Token } from "./syntax.ts";

/**
 * The same expression in words that the parser reads as the language means them, for it has faults: it takes `@` for a whole
 * argument, reads only the first escaped quote of a raw string, and lets missing commas and open quotes pass. The last two are
 * refused here.
 */
export function normalized(expression: string): string {
  // An open quote would swallow the last token.
  const tokens = tokenize(`${expression} @`);
  if (tokens.at(-1)?.start !== expression.length + 1) throw new InvalidExpression("Unclosed quote");
  const words: string[] = [];
  let last: Token | undefined;
  for (const [index, token] of tokens.slice(0, -1).entries()) {
    if (!token) throw new InvalidExpression("Invalid token: =");
    const word = expression.slice(token.start, tokens[index + 1]?.start).trimEnd();
    checkNeighbours(last, token, word);
    words.push(rewritten(token, word));
    last = token;
  }
  return words.join(" ");
}

const names = ["UnquotedIdentifier", "QuotedIdentifier"];
const closers = ["Rparen", "Rbracket", "Rbrace"];
/** What an expression can end with, and what one can begin with but none goes on with. */
const ends = new Set([...names, ...closers, "Literal", "Current", "Star", "Flatten"]);
const starts = new Set([...names, "Literal", "Current", "Not", "Expref", "Lbrace", "Star"]);

function checkNeighbours(last: Token | undefined, token: Token, word: string): void {
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
