import type { DescField, DescMessage, JsonValue } from "@bufbuild/protobuf";
import { InvalidRequest, type Violation } from "../../errors.ts";
import type { Operation } from "../catalog.ts";
import { isSetList } from "../rules/field-rules.ts";
import { isObject, type JsonObject } from "./body.ts";
import { namesOf } from "./parameter-names.ts";

/** Rejects unknown parameters or members. Clients request it by strict handling. Throws `InvalidRequest`. */
export type RejectUnknown = (names: Iterable<string>) => void;

/** Compiles the rejection of unknown names. `adjacent` lists parameters that every request may have. */
export function unknownRejecter(fields: readonly DescField[], adjacent: readonly string[] = []): RejectUnknown {
  const known = knownNames(fields, adjacent);
  return (names) => {
    const unknown = [...new Set(names)].filter((name) => !known.has(name));
    if (unknown.length > 0)
      throw new InvalidRequest(unknown.map((field) => ({ field, description: "unknown parameter" })));
  };
}

/** Creates a function that rejects repeated parameters that allow only one value. Throws `InvalidRequest`. */
export function contradictionRejecter(
  fields: readonly DescField[],
  adjacent: readonly string[],
): (query: URLSearchParams) => void {
  const contradicted = contradictionsIn(fields, adjacent);
  return (query) => {
    const broken = contradicted(query);
    if (broken.length > 0)
      throw new InvalidRequest(broken.map((field) => ({ field, description: "value must be one: several were sent" })));
  };
}

/** Returns the parameters that accept one value but occur with several, in snake case or camel case. */
function contradictionsIn(
  fields: readonly DescField[],
  adjacent: readonly string[],
): (query: URLSearchParams) => readonly string[] {
  const single = fields.filter(({ fieldKind }) => fieldKind === "scalar" || fieldKind === "enum");
  const forms = [
    ...single.map(({ name, jsonName }) => [...new Set([name, jsonName])]),
    ...adjacent.map((name) => [...new Set(namesOf(name))]),
  ];
  return (query) =>
    forms.flatMap(([name = "", ...twins]) => {
      const texts = [name, ...twins].flatMap((form) => query.getAll(form)).filter((text) => text !== "");
      return new Set(texts).size > 1 ? [name] : [];
    });
}

/** Rejects unknown members in the body of a write, at any depth. Throws `InvalidRequest`. */
export function rejectUnknownMembers({ method }: Operation, body: JsonObject): void {
  const unknown = [...unknownMembers(method.input, body, "")];
  if (unknown.length > 0) throw new InvalidRequest(unknown);
}

function* unknownMembers(
  desc: DescMessage,
  body: JsonObject,
  before: string,
  reported = { count: 0 },
): Generator<Violation> {
  for (const [name, value] of Object.entries(body)) {
    if (reported.count >= maxViolations) return;
    const field = desc.fields.find((each) => each.jsonName === name || each.name === name);
    if (!field) {
      reported.count += 1;
      yield { field: `${before}${name}`, description: "unknown member" };
    } else if (field.message && field.fieldKind !== "map")
      for (const [place, item] of objectsIn(value))
        yield* unknownMembers(field.message, item, `${before}${name}${place}.`, reported);
  }
}

function objectsIn(value: JsonValue): [place: string, object: JsonObject][] {
  if (isObject(value)) return [["", value]];
  const items = Array.isArray(value) ? value : [];
  return items.flatMap((item, index): [string, JsonObject][] => (isObject(item) ? [[`[${index}]`, item]] : []));
}

/** Requires the list of a `Set…` request, because a missing list would delete all items. Throws `InvalidRequest`. */
export function requireLists({ method }: Operation, body: JsonObject): void {
  const missing = method.input.fields.filter(
    (field) => isSetList(field) && !(body[field.jsonName] ?? body[field.name]),
  );
  if (missing.length > 0)
    throw new InvalidRequest(
      missing.map(({ jsonName }) => ({
        field: jsonName,
        description: "value is required; an empty list removes all",
      })),
    );
}

/** Returns a function that lists ignored parameters. A last entry such as `+3` counts further ones. */
export function ignoredNames(
  fields: readonly DescField[],
  adjacent: readonly string[],
): (query: URLSearchParams) => string | undefined {
  const known = knownNames(fields, adjacent);
  const contradicted = contradictionsIn(fields, adjacent);
  return (query) => {
    const names = [...[...new Set(query.keys())].filter((name) => !known.has(name)), ...contradicted(query)];
    const listed: string[] = [];
    let length = 0;
    for (const name of names) {
      const text = encodeURIComponent(name.toWellFormed());
      if (listed.length === maxNames || length + text.length > maxHeaderBytes) continue;
      listed.push(text);
      length += text.length + separator.length;
    }
    if (listed.length < names.length) listed.push(`+${names.length - listed.length}`);
    return listed.length > 0 ? listed.join(separator) : undefined;
  };
}

const separator = ", ";
/** Maximum names in the header, which limits its length. */
const maxNames = 20;
const maxHeaderBytes = 980;

export function knownNames(fields: readonly DescField[], adjacent: readonly string[]): ReadonlySet<string> {
  return new Set([...adjacent.flatMap(namesOf), ...fields.flatMap(({ name, jsonName }) => [name, jsonName])]);
}

/** Maximum violations in the error, which limits its length. */
const maxViolations = 50;

/** Returns whether a `Prefer` header requests strict handling (RFC 7240). */
export function wantsStrict(prefer: string): boolean {
  return prefer.split(",").some((part) => /^\s*handling\s*=\s*"?strict"?\s*(;|$)/i.test(part));
}
