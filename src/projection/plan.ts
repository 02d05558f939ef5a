import { isEqual } from "./compare.ts";
import type { Evaluate, Fuel } from "./fuel.ts";
import { planFunction } from "./functions.ts";
import { isTrue, sizeOf, writeCosts } from "./members.ts";
import { InvalidExpression } from "./projection-errors.ts";
import { slicer } from "./slice.ts";
import type { Comparison, Syntax } from "./syntax.ts";
import { isArray, isObject, type Json, type JsonArray, memberReader, setMember } from "./value.ts";

/** Bounds how deep evaluation calls itself; an expression could nest as deep as it has characters. */
const deepest = 256;

/**
 * Turns a parsed expression into closures. Every node but the ones that only hand over a value spends fuel for itself, and
 * lists for each of their elements: what is run is never much more than what is paid for.
 */
export function plan(syntax: Syntax | undefined, depth = 0): Evaluate {
  if (!syntax) throw new InvalidExpression("Expected an expression");
  if (depth > deepest) throw new InvalidExpression(`Nested deeper than ${deepest}`);
  const inner = (child: Syntax | undefined) => plan(child, depth + 1);
  switch (syntax.type) {
    case "Identity":
    case "Current":
      return (value) => value;
    case "Literal":
      return () => syntax.value;
    case "Field":
      return field(syntax.name);
    case "Index":
      return element(syntax.value);
    case "Slice":
      return slicer(syntax.children);
    case "NotExpression":
      return not(inner(syntax.children[0]));
    case "Flatten":
      return flatten(inner(syntax.children[0]));
    case "Subexpression":
    case "IndexExpression":
    case "Pipe":
      return chain(inner(syntax.children[0]), inner(syntax.children[1]));
    case "Projection":
      return projection(inner(syntax.children[0]), inner(syntax.children[1]));
    case "ValueProjection":
      return projection(members(inner(syntax.children[0])), inner(syntax.children[1]));
    case "FilterProjection":
      return filter(inner(syntax.children[0]), inner(syntax.children[1]), inner(syntax.children[2]));
    case "OrExpression":
      return either(inner(syntax.children[0]), inner(syntax.children[1]), true);
    case "AndExpression":
      return either(inner(syntax.children[0]), inner(syntax.children[1]), false);
    case "Comparator":
      return comparison(syntax.name, inner(syntax.children[0]), inner(syntax.children[1]));
    case "MultiSelectList":
      return list(syntax.children.map(inner));
    case "MultiSelectHash":
      return hash(syntax.children.map(({ name, value }) => [name, inner(value)]));
    case "Function":
      return planFunction(syntax.name, syntax.children, inner);
    case "ExpressionReference":
      throw new InvalidExpression("An expression reference stands only as the argument of a function that takes one");
  }
}

function field(name: string): Evaluate {
  const read = memberReader(name);
  return (value, fuel) => {
    fuel.spend(1);
    return isObject(value) ? read(value) : null;
  };
}

function element(index: number): Evaluate {
  if (Number.isNaN(index)) throw new InvalidExpression("An index is a whole number");
  return (value, fuel) => {
    fuel.spend(1);
    return isArray(value) ? (value[index < 0 ? index + value.length : index] ?? null) : null;
  };
}

function not(inner: Evaluate): Evaluate {
  return (value, fuel) => {
    fuel.spend(1);
    return !isTrue(inner(value, fuel), fuel);
  };
}

function chain(first: Evaluate, second: Evaluate): Evaluate {
  return (value, fuel) => {
    fuel.spend(1);
    return second(first(value, fuel), fuel);
  };
}

/** The first value when it is as true as `until`, else the second. */
function either(first: Evaluate, second: Evaluate, until: boolean): Evaluate {
  return (value, fuel) => {
    fuel.spend(1);
    const found = first(value, fuel);
    return isTrue(found, fuel) === until ? found : second(value, fuel);
  };
}

function flatten(inner: Evaluate): Evaluate {
  return (value, fuel) => {
    const nested = inner(value, fuel);
    fuel.spend(1);
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

function members(inner: Evaluate): Evaluate {
  return (value, fuel) => {
    const object = inner(value, fuel);
    if (!isObject(object)) return null;
    fuel.spend(sizeOf(object, fuel).cost);
    return Object.values(object);
  };
}

function projection(list: Evaluate, each: Evaluate): Evaluate {
  return (value, fuel) => {
    const items = list(value, fuel);
    fuel.spend(1);
    return isArray(items) ? projected(items, each, fuel) : null;
  };
}

function filter(list: Evaluate, each: Evaluate, condition: Evaluate): Evaluate {
  return (value, fuel) => {
    const items = list(value, fuel);
    fuel.spend(1);
    if (!isArray(items)) return null;
    fuel.spend(items.length);
    return projected(
      items.filter((item) => isTrue(condition(item, fuel), fuel)),
      each,
      fuel,
    );
  };
}

/** What each element gives, without what gives nothing. */
function projected(items: JsonArray, each: Evaluate, fuel: Fuel): JsonArray {
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
    fuel.spend(1 + parts.length);
    return value === null ? null : parts.map((part) => part(value, fuel));
  };
}

function hash(parts: readonly (readonly [string, Evaluate])[]): Evaluate {
  const cost = 1 + writeCosts(parts.map(([name]) => name));
  return (value, fuel) => {
    fuel.spend(cost);
    if (value === null) return null;
    const object: Record<string, Json> = {};
    for (const [name, part] of parts) setMember(object, name, part(value, fuel));
    return object;
  };
}

/** Only numbers have an order here: comparing anything else gives `null`, as the specification says. */
const ordered: Readonly<Record<Exclude<Comparison, "EQ" | "NE">, (one: number, other: number) => boolean>> = {
  LT: (one, other) => one < other,
  LTE: (one, other) => one <= other,
  GT: (one, other) => one > other,
  GTE: (one, other) => one >= other,
};

function comparison(name: Comparison, first: Evaluate, second: Evaluate): Evaluate {
  if (name === "EQ" || name === "NE") {
    const wanted = name === "EQ";
    return (value, fuel) => isEqual(first(value, fuel), second(value, fuel), fuel) === wanted;
  }
  const holds = ordered[name];
  return (value, fuel) => {
    fuel.spend(1);
    const one = first(value, fuel);
    const other = second(value, fuel);
    return typeof one === "number" && typeof other === "number" ? holds(one, other) : null;
  };
}
