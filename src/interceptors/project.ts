import { LRUCache } from "lru-cache";
import type { JsonBytes } from "../contract/json.ts";
import { compileExpression } from "../projection/compile.ts";
import { type Evaluate, evaluateInTurn } from "../projection/fuel.ts";
import { ProjectionFailed, ProjectionRefused } from "../projection/projection-errors.ts";
import { serialize } from "../projection/serialize.ts";
import { isArray, isObject, type Json, kindOf } from "../projection/value.ts";

/** Evaluates the client's JMESPath expression on a response. Throws `ProjectionRefused`. */
export type Project = (expression: string, response: Json) => Promise<JsonBytes>;

/** Maximum total length of cached expressions, in characters. */
const rememberedCharacters = 256 * 1024;

export function createProject(): Project {
  const compiled = new LRUCache<string, Evaluate>({
    maxSize: rememberedCharacters,
    sizeCalculation: (_, expression) => expression.length,
  });
  const evaluatorOf = (expression: string) => {
    const known = compiled.get(expression);
    if (known) return known;
    const evaluate = compileExpression(expression);
    compiled.set(expression, evaluate);
    return evaluate;
  };
  return (expression, response) =>
    evaluateInTurn((fuel) => {
      try {
        return serialize(evaluatorOf(expression)(response, fuel), fuel);
      } catch (error) {
        if (error instanceof ProjectionFailed) throw new ProjectionRefused(error.message, originalKeys(response));
        throw error;
      }
    });
}

const maxKeys = 50;

/** Returns the first keys of an object, or the type of any other value, as a hint in an error message. */
export function originalKeys(value: Json): string[] {
  if (isArray(value)) return [`<array length=${value.length}>`];
  if (!isObject(value)) return [`<${kindOf(value)}>`];
  const keys = Object.keys(value);
  return keys.length > maxKeys ? [...keys.slice(0, maxKeys), `...<${keys.length - maxKeys} more>`] : keys;
}
