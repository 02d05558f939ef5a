import type { DescField, DescMessage, JsonValue } from "@bufbuild/protobuf";
import { InvalidRequest, type Violation } from "../../errors.ts";
import type { Operation } from "../catalog.ts";
import { isSetList } from "../rules/field-rules.ts";
import { isObject, type JsonObject } from "./body.ts";
import { namesOf } from "./parameter-names.ts";

/** Refuses parameters or members that the contract does not know, for callers that ask for it. Throws `InvalidRequest`. */
export type RejectUnknown = (names: Iterable<string>) => void;

/** Plans the check of a request once; `beside` are names that every request may carry. */
export function unknownRejecter(fields: readonly DescField[], adjacent: readonly string[] = []): RejectUnknown {
  const known = knownNames(fields, adjacent);
  return (names) => {
    const unknown = [...new Set(names)].filter((name) => !known.has(name));
    if (unknown.length > 0)
      throw new InvalidRequest(unknown.map((field) => ({ field, description: "unknown parameter" })));
  };
}

/** Plans the refusal of what takes one value and is sent with several, for callers that ask for it. Throws `InvalidRequest`. */
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

/** Plans the search for parameters that take one value and are sent with several, under either of their names. */
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

/** Refuses members of a write's body that its message does not have, within its members too. Throws `InvalidRequest`. */
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
    if (reported.count >= maxReported) return;
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

/** Refuses the body of a write that sets a list and does not have it: that would take all away. Throws `InvalidRequest`. */
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

/**
 * Plans what tells, as the value of a header, the names that a read does not know, and those of which only the first of
 * several values counts; undefined where nothing is ignored. `+3` at its end stands for three more.
 */
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
/** Bounds the header of a request with many. */
const maxNames = 20;
const maxHeaderBytes = 980;

function knownNames(fields: readonly DescField[], adjacent: readonly string[]): ReadonlySet<string> {
  return new Set([...adjacent.flatMap(namesOf), ...fields.flatMap(({ name, jsonName }) => [name, jsonName])]);
}

/** Bounds the answer to a request with many. */
const maxReported = 50;

/** RFC 7240: whether the `Prefer` header asks for strict handling. */
export function wantsStrict(prefer: string): boolean {
  return prefer.split(",").some((part) => /^\s*handling\s*=\s*"?strict"?\s*(;|$)/i.test(part));
}
