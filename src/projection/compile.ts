import { maxExpressionBytes } from "../contract/request/request-size.ts";
import { isEqual, valuesOf } from "./call.ts";
import type { Evaluate, Fuel } from "./fuel.ts";
import { planFunction } from "./functions.ts";
import { InvalidExpression, ProjectionFailed } from "./projection-errors.ts";
import { type Bounds, type Comparison, parse, type Syntax } from "./syntax.ts";
import { isArray, isObject, type Json, type JsonArray, memberReader, setMember } from "./value.ts";

/** Parses and compiles an expression. Throws `ProjectionFailed`. */
export function compileExpression(expression: string): Evaluate {
  const bytes = Buffer.byteLength(expression);
  if (bytes > maxExpressionBytes) throw new ProjectionFailed("expression_too_long", `${bytes} > ${maxExpressionBytes}`);
  return plan(parse(expression));
}

/** Maximum nesting of an expression, which limits the depth of recursion. */
const maxDepth = 256;

/** Compiles a syntax tree to closures. Every node except a literal and `@` spends from the expression's budget. */
function plan(syntax: Syntax | undefined, depth = 0): Evaluate {
  if (!syntax) throw new InvalidExpression("Expected an expression");
  if (depth > maxDepth) throw new InvalidExpression(`Nested deeper than ${maxDepth}`);
  if (syntax.type === "Literal") return () => syntax.value;
  if (syntax.type === "Identity" || syntax.type === "Current") return (value) => value;
  const evaluate = planStep(syntax, (child) => plan(child, depth + 1));
  return (value, fuel) => {
    fuel.spend(1);
    return evaluate(value, fuel);
  };
}

type Step = Exclude<Syntax, { readonly type: "Identity" | "Current" | "Literal" }>;

function planStep(syntax: Step, inner: (child: Syntax | undefined) => Evaluate): Evaluate {
  switch (syntax.type) {
    case "Field": {
      const read = memberReader(syntax.name);
      return (value) => (isObject(value) ? read(value) : null);
    }
    case "Index":
      if (Number.isNaN(syntax.value)) throw new InvalidExpression("An index must be a whole number");
      return (value) => (isArray(value) ? (value.at(syntax.value) ?? null) : null);
    case "Slice":
      return slicer(syntax.children);
    case "NotExpression": {
      const negated = inner(syntax.children[0]);
      return (value, fuel) => !isTrue(negated(value, fuel), fuel);
    }
    case "Flatten":
      return flatten(inner(syntax.children[0]));
    case "MultiSelectList":
      return list(syntax.children.map(inner));
    case "MultiSelectHash":
      return hash(syntax.children.map(({ name, value }) => [name, inner(value)]));
    case "Function":
      return planFunction(syntax.name, syntax.children, inner);
    case "ExpressionReference":
      throw new InvalidExpression(
        "An expression reference is allowed only as the argument of a function that accepts one",
      );
  }
  const [first, second] = [inner(syntax.children[0]), inner(syntax.children[1])];
  switch (syntax.type) {
    case "Subexpression":
    case "IndexExpression":
    case "Pipe":
      return (value, fuel) => second(first(value, fuel), fuel);
    case "Projection":
      return (value, fuel) => projected(first(value, fuel), second, fuel);
    case "ValueProjection":
      return (value, fuel) => {
        const object = first(value, fuel);
        return isObject(object) ? projected(valuesOf(object, fuel), second, fuel) : null;
      };
    case "FilterProjection":
      return filter(first, second, inner(syntax.children[2]));
    case "OrExpression":
      return either(first, second, true);
    case "AndExpression":
      return either(first, second, false);
    case "Comparator":
      return comparison(syntax.name, first, second);
  }
}

/** Evaluates `&&` and `||`: returns the first value if its truth equals `until`, or else the second value. */
function either(first: Evaluate, second: Evaluate, until: boolean): Evaluate {
  return (value, fuel) => {
    const found = first(value, fuel);
    return isTrue(found, fuel) === until ? found : second(value, fuel);
  };
}

function flatten(inner: Evaluate): Evaluate {
  return (value, fuel) => {
    const nested = inner(value, fuel);
    if (!isArray(nested)) return null;
    fuel.spend(nested.length);
    const flat: Json[] = [];
    for (const item of nested) {
      if (!isArray(item)) flat.push(item);
      else {
        fuel.spend(item.length);
        for (const part of item) flat.push(part);
      }
    }
    return flat;
  };
}

function filter(list: Evaluate, each: Evaluate, condition: Evaluate): Evaluate {
  return (value, fuel) => {
    const items = list(value, fuel);
    if (!isArray(items)) return null;
    fuel.spend(items.length);
    const matching = items.filter((item) => isTrue(condition(item, fuel), fuel));
    return projected(matching, each, fuel);
  };
}

/** Applies a function to each element. `null` results are left out. */
function projected(items: Json, each: Evaluate, fuel: Fuel): JsonArray | null {
  if (!isArray(items)) return null;
  fuel.spend(items.length);
  const results: Json[] = [];
  for (const item of items) {
    const result = each(item, fuel);
    if (result !== null) results.push(result);
  }
  return results;
}

function list(parts: readonly Evaluate[]): Evaluate {
  return (value, fuel) => {
    fuel.spend(parts.length);
    return value === null ? null : parts.map((part) => part(value, fuel));
  };
}

function hash(parts: readonly (readonly [string, Evaluate])[]): Evaluate {
  return (value, fuel) => {
    fuel.spendMembers(0, parts.length);
    if (value === null) return null;
    const object: Record<string, Json> = {};
    for (const [name, part] of parts) setMember(object, name, part(value, fuel));
    return object;
  };
}

/** Comparisons by order, which JMESPath defines for numbers only. For other values, the result is `null`. */
const ordered: Readonly<Record<Exclude<Comparison, "EQ" | "NE">, (one: number, other: number) => boolean>> = {
  LT: (one, other) => one < other,
  LTE: (one, other) => one <= other,
  GT: (one, other) => one > other,
  GTE: (one, other) => one >= other,
};

function comparison(name: Comparison, first: Evaluate, second: Evaluate): Evaluate {
  if (name === "EQ" || name === "NE")
    return (value, fuel) => isEqual(first(value, fuel), second(value, fuel), fuel) === (name === "EQ");
  const holds = ordered[name];
  return (value, fuel) => {
    const [one, other] = [first(value, fuel), second(value, fuel)];
    return typeof one === "number" && typeof other === "number" ? holds(one, other) : null;
  };
}

/** Evaluates a slice `[start:end:step]`. Negative indexes count from the end, and both ends are clamped to the list. */
function slicer([start, end, stepOrNone]: Bounds): Evaluate {
  const step = stepOrNone ?? 1;
  if ([start, end, step].some((bound) => Number.isNaN(bound)))
    throw new InvalidExpression("A slice requires whole numbers");
  if (step === 0) throw new InvalidExpression("Invalid slice, step cannot be 0");
  return (value, fuel) => {
    if (!isArray(value)) return null;
    const { length } = value;
    const low = step > 0 ? 0 : -1;
    const high = step > 0 ? length : length - 1;
    const within = (bound: number) => Math.min(Math.max(bound < 0 ? bound + length : bound, low), high);
    const from = start === null ? (step > 0 ? low : high) : within(start);
    const to = end === null ? (step > 0 ? high : low) : within(end);
    const count = Math.max(0, Math.ceil((to - from) / step));
    fuel.spend(count);
    return Array.from({ length: count }, (_, index) => value[from + index * step] ?? null);
  };
}

/** Returns whether JMESPath treats a value as true. `null`, `false`, and empty values are false; 0 is true. */
export function isTrue(value: Json, fuel: Fuel): boolean {
  if (isArray(value)) return value.length > 0;
  if (isObject(value)) return fuel.namesOf(value).length > 0;
  return value !== null && value !== false && value !== "";
}
