import { compile as parse, tokenize } from "jmespath";
import { maxExpressionBytes } from "../contract/request/request-size.ts";
import { isEqual } from "./compare.ts";
import type { Evaluate, Fuel } from "./fuel.ts";
import { planFunction } from "./functions.ts";
import { isTrue, sizeOf, writeCosts } from "./members.ts";
import { InvalidExpression, ProjectionFailed } from "./projection-errors.ts";
import type { Bounds, Comparison, Syntax, Token } from "./syntax.ts";
import { isArray, isObject, type Json, type JsonArray, memberReader, setMember } from "./value.ts";

/** Limits the recursion depth. Without a limit, an expression could nest as deeply as its length. */
const maxDepth = 256;

/**
 * Compiles a syntax tree to closures. Every node except literals and `@` spends fuel, and projections also spend it per
 * element. The cost therefore bounds the work.
 */
function plan(syntax: Syntax | undefined, depth = 0): Evaluate {
  if (!syntax) throw new InvalidExpression("Expected an expression");
  if (depth > maxDepth) throw new InvalidExpression(`Nested deeper than ${maxDepth}`);
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
      throw new InvalidExpression(
        "An expression reference is allowed only as the argument of a function that accepts one",
      );
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
  if (Number.isNaN(index)) throw new InvalidExpression("An index must be a whole number");
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

/** Returns the first value if its truth equals `until`, or else the second. */
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

/** Applies a function to each element and leaves out `null` results. */
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

/** Only numbers are ordered here. The specification defines all other comparisons as `null`. */
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

/**
 * Implements `[start:end:step]` of the specification: negative values count from the end, and both ends are clamped.
 */
function slicer([start, end, stepOrNone]: Bounds): (value: Json, fuel: Fuel) => JsonArray | null {
  const step = stepOrNone ?? 1;
  if ([start, end, step].some((bound) => Number.isNaN(bound)))
    throw new InvalidExpression("A slice requires whole numbers");
  if (step === 0) throw new InvalidExpression("Invalid slice, step cannot be 0");
  return (value, fuel) => {
    fuel.spend(1);
    if (!isArray(value)) return null;
    const { length } = value;
    const low = step > 0 ? 0 : -1;
    const high = step > 0 ? length : length - 1;
    const within = (bound: number) => Math.min(Math.max(bound < 0 ? bound + length : bound, low), high);
    const from = start === null ? (step > 0 ? low : high) : within(start);
    const to = end === null ? (step > 0 ? high : low) : within(end);
    fuel.spend(Math.max(0, Math.ceil((to - from) / step)));
    const taken: Json[] = [];
    for (let index = from; step > 0 ? index < to : index > to; index += step) taken.push(value[index] ?? null);
    return taken;
  };
}

/**
 * Rewrites an expression so that the parser reads it correctly. The parser takes `@` for a whole argument, and reads
 * only the first escaped quote of a raw string. It also accepts missing commas and open quotes, which are rejected
 * here.
 */
function normalized(expression: string): string {
  // An open quote would swallow the last token.
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
/** Tokens that can end an expression, and tokens that can only start one. */
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

/** Parses and compiles an expression. Throws `ProjectionFailed`. */
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

/** Internal errors of the parser are replaced by a general message. */
function reasonOf(error: unknown): string {
  const own = error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError);
  return own ? error.message : "Syntax error";
}
