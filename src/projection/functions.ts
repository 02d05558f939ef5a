import { type Builtin, Call } from "./call.ts";
import type { Evaluate } from "./fuel.ts";
import { listFunctions } from "./list-functions.ts";
import { numberFunctions } from "./number-functions.ts";
import { objectFunctions } from "./object-functions.ts";
import { InvalidExpression } from "./projection-errors.ts";
import type { Syntax } from "./syntax.ts";
import { textFunctions } from "./text-functions.ts";

const builtins: ReadonlyMap<string, Builtin> = new Map(
  [numberFunctions, textFunctions, listFunctions, objectFunctions].flatMap((group) => Object.entries(group)),
);

/** Plans a call. What can be wrong about it whatever the values are is said here: its name, its arity, its references. */
export function planFunction(
  name: string | undefined,
  parts: readonly (Syntax | undefined)[],
  plan: (syntax: Syntax | undefined) => Evaluate,
): Evaluate {
  if (name === undefined) throw new InvalidExpression("Expected a function name");
  const builtin = builtins.get(name);
  if (!builtin) throw new InvalidExpression(`Unknown function: ${name}()`);
  const { arity, more = false, reference, run } = builtin;
  if (more ? parts.length < arity : parts.length !== arity)
    throw new InvalidExpression(
      `ArgumentError: ${name}() takes ${more ? "at least " : ""}${arity} ${arity === 1 ? "argument" : "arguments"} but received ${parts.length}`,
    );
  let each: Evaluate = (value) => value;
  const given = parts.map((part, index): Evaluate => {
    if (index !== reference) return plan(part);
    if (part?.type !== "ExpressionReference")
      throw new InvalidExpression(`TypeError: ${name}() expected argument ${index + 1} to be type expression`);
    each = plan(part.children[0]);
    return () => null;
  });
  return (value, fuel) => {
    fuel.spend(2 + given.length);
    const values = given.map((argument) => argument(value, fuel));
    return run(new Call(name, values, (element) => each(element, fuel), fuel));
  };
}
