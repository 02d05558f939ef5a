import { compile as parse } from "jmespath";
import { maxExpressionBytes } from "../contract/request/request-size.ts";
import type { Evaluate } from "./fuel.ts";
import { plan } from "./plan.ts";
import { InvalidExpression, ProjectionFailed } from "./projection-errors.ts";
import { normalized } from "./tokens.ts";

/** Parses and plans an expression. Throws `ProjectionFailed`. */
export function compileExpression(expression: string): Evaluate {
  const bytes = Buffer.byteLength(expression);
  if (bytes > maxExpressionBytes) throw new ProjectionFailed("expression_too_long", `${bytes} > ${maxExpressionBytes}`);
  return plan(parsed(expression));
}

function parsed(expression: string) {
  try {
    return parse(normalized(expression));
  } catch (error) {
    if (error instanceof ProjectionFailed) throw error;
    throw new InvalidExpression(reasonOf(error));
  }
}

/** The parser stumbles over some mistakes; what the engine says of that helps nobody. */
function reasonOf(error: unknown): string {
  const own = error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError);
  return own ? error.message : "Syntax error";
}
