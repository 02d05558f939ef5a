import { ChangeSchema } from "../../gen/es/ids/changes/v1/changes_pb.ts";
import type { Column } from "../contract/columns.ts";
import { unspecified } from "../contract/rules/known-values.ts";
import { type InvalidRequest, invalidField } from "../errors.ts";
import type { Syntax } from "../projection/syntax.ts";

/** A member of a row or a change. The name of a member of a nested object is its path, joined by dots. */
export type Member = Pick<Column, "name" | "field">;

/** Names from the change to a value. Undefined if the value is computed, or an item of a list. */
type Path = readonly string[] | undefined;

/**
 * Throws `InvalidRequest` if a condition reads a member that no change has, or compares an enum with a value that the
 * enum does not have. Computed values and items of lists are not checked.
 */
export function checkMembers(condition: Syntax | undefined, ofRows: readonly Member[]): void {
  const members = ChangeSchema.fields.flatMap(({ jsonName, message }): readonly Member[] =>
    // The messages are `before` and `after`. If the datasets have no rows, their members are not checked.
    message && ofRows.length > 0
      ? ofRows.map((member) => ({ ...member, name: `${jsonName}.${member.name}` }))
      : [{ name: jsonName }],
  );
  checkedPath(condition, [], members);
}

/** Checks an expression that is evaluated on the value at a path, and returns the path of its result. */
function checkedPath(syntax: Syntax | undefined, at: Path, members: readonly Member[]): Path {
  const inner = (child: Syntax | undefined, from: Path) => checkedPath(child, from, members);
  switch (syntax?.type) {
    case "Identity":
    case "Current":
      return at;
    case "Field":
      return at && checkedMember(at, syntax.name, members);
    case "Subexpression":
    case "Pipe":
      return inner(syntax.children[1], inner(syntax.children[0], at));
    case "IndexExpression":
    case "Projection":
    case "ValueProjection":
    case "FilterProjection":
      // The other children are evaluated on items.
      return void inner(syntax.children[0], at);
    case "NotExpression":
    case "Flatten":
    case "OrExpression":
    case "AndExpression":
    case "MultiSelectList":
    case "Function":
      return void syntax.children.map((child) => inner(child, at));
    case "MultiSelectHash":
      return void syntax.children.map(({ value }) => inner(value, at));
    case "Comparator": {
      const [one, other] = syntax.children;
      const [left, right] = [inner(one, at), inner(other, at)];
      if (syntax.name !== "EQ" && syntax.name !== "NE") return undefined;
      checkValue(left, other, members);
      checkValue(right, one, members);
    }
  }
  return undefined;
}

function checkedMember(at: readonly string[], name: string, members: readonly Member[]): Path {
  const prefix = at.map((step) => `${step}.`).join("");
  const path = `${prefix}${name}`;
  const isWithin = (one: string, other: string) => `${one}.`.startsWith(`${other}.`);
  if (members.some((each) => isWithin(each.name, path) || isWithin(path, each.name))) return [...at, name];
  const known = members.filter((each) => each.name.startsWith(prefix)).map((each) => each.name.slice(prefix.length));
  const ofRow = members.some((each) => each.name === `after.${name}`);
  const hint = ofRow ? `; rows have after.${name}` : "; text requires single quotes";
  throw unknown(
    `member "${name}" of ${at.length > 0 ? at.join(".") : `a change${hint}`}`,
    known.map((each) => each.replace(/\..*/, "")),
  );
}

function checkValue(path: Path, literal: Syntax | undefined, members: readonly Member[]): void {
  if (!path || literal?.type !== "Literal" || literal.value === null) return;
  const fields = members.filter(({ name }) => name === path.join(".")).map(({ field }) => field);
  if (fields.length === 0 || fields.some((field) => field?.fieldKind !== "enum")) return;
  // A row has `null` instead of the value "unspecified".
  const values = fields.flatMap((field) => field?.enum?.values.filter(({ name }) => name !== unspecified(field)) ?? []);
  const known = values.map(({ name }) => name);
  if (!known.some((name) => name === literal.value))
    throw unknown(`value ${JSON.stringify(literal.value)} of ${path.join(".")}`, known);
}

function unknown(what: string, known: readonly string[]): InvalidRequest {
  return invalidField("condition", `Unknown ${what}. Use one of: ${[...new Set(known)].join(", ")}`);
}
