import type { Syntax, Token } from "./syntax.ts";

declare module "jmespath" {
  /** Parses an expression. Throws errors of various types, including those of the engine. */
  export function compile(expression: string): Syntax | undefined;
  /** Splits an expression into tokens. An invalid operator becomes `undefined`. */
  export function tokenize(expression: string): readonly (Token | undefined)[];
}
