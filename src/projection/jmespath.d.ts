import type { Syntax, Token } from "./syntax.ts";

declare module "jmespath" {
  /** Parses an expression. Throws errors of many kinds, of the engine too. */
  export function compile(expression: string): Syntax | undefined;
  /** Cuts an expression into tokens; what begins like an operator but is none becomes `undefined`. */
  export function tokenize(expression: string): readonly (Token | undefined)[];
}
