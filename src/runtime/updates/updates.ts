import {
  create,
  type DescField,
  type DescMessage,
  type DescMethod,
  type JsonValue,
  type Message,
} from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Operation } from "../../contract/catalog.ts";
import type { Implementation, Step } from "../../contract/implementation.ts";
import { plainMaker } from "../../contract/plain.ts";
import { isObject, type JsonObject } from "../../contract/request/body.ts";
import { asOfKey, updatedAfterKey } from "../../contract/request-context.ts";
import { memberOf } from "../../contract/rules/known-values.ts";
import {
  invalidUpdatedAfter,
  selectsUpdates,
  updatedAfterParameter,
  updatedAtHeader,
} from "../../contract/updated-after.ts";
import type { DomainParts } from "../../domains/index.ts";
import { NotRedistributable } from "../../http/errors.ts";
import { subjectOf } from "../../ingest/changes/followed-tables.ts";
import { dayMs } from "../../reference/duration.ts";
import { changeDays } from "../../store/changes/change-log.ts";
import { type UpdatedSubjects, updatedSubjects } from "../../store/changes/updated-subjects.ts";
import { type FollowedList, type FollowedRead, followedRead } from "./followed-reads.ts";

export interface UpdateParts {
  readonly domain: Pick<DomainParts, "database" | "served" | "data" | "clock">;
  /** Returns the sources whose terms do not allow that changes of their rows are logged. */
  readonly withheldSources: (method: DescMethod) => readonly string[];
}

/** Implements `updated_after`. Operations that do not support it reject it with the reason. */
export function selectUpdates(operation: Operation, parts: UpdateParts): Step | undefined {
  if (!operation.read || selectsUpdates(operation)) return undefined;
  const read = followedRead(operation.method);
  return "lists" in read ? updated(operation, read, parts) : rejecting(read.rejection);
}

function rejecting(reason: string): Step {
  return (request, context, next) => {
    if (context.values.get(updatedAfterKey) !== undefined) throw invalidUpdatedAfter(`value must be absent: ${reason}`);
    return next(request, context);
  };
}

function updated(
  { method }: Operation,
  { lists, datasets }: Extract<FollowedRead, { lists: unknown }>,
  { domain, withheldSources }: UpdateParts,
): Step {
  const { database, served, data, clock } = domain;
  const select = rowSelector(method.output, lists);
  /** Returns when the oldest data was stored. If clients send it next, they may get a change twice, but miss none. */
  const updatedAt = () => {
    const storedAt = datasets.flatMap((dataset) => served.visible(dataset)?.provenance.storedAt.getTime() ?? []);
    return storedAt.length < datasets.length ? undefined : new Date(Math.min(...storedAt));
  };
  const since = async (after: number, request: Message, context: HandlerContext, next: Implementation) => {
    requireLogged(after, clock().getTime());
    const restricted = withheldSources(method);
    if (restricted.length > 0)
      throw new NotRedistributable(
        `${updatedAfterParameter}: the terms of ${restricted.join(", ")} do not allow logging of changes`,
      );
    const response = create(method.output, await next(request, context));
    // The log is read after the response, so that it includes changes that the response already contains.
    const subjects = await updatedSubjects(database, {
      datasets: datasets.map(({ name }) => name),
      after: new Date(after),
      liveOnly: data === "live",
    });
    return select(response, subjects);
  };
  return (request, context, next) => {
    const after = context.values.get(updatedAfterKey);
    if (context.values.get(asOfKey)) {
      if (after !== undefined) throw invalidUpdatedAfter("value must be absent with as_of");
      return next(request, context);
    }
    // The time is determined before the response. A change during the response then belongs to the next call.
    const at = updatedAt();
    if (at) context.responseHeader.set(updatedAtHeader, at.toISOString());
    return after === undefined ? next(request, context) : since(after, request, context, next);
  };
}

/** Throws `InvalidRequest` if changes after the time are no longer retained. */
function requireLogged(after: number, now: number): void {
  const first = now - changeDays * dayMs;
  if (after < first)
    throw invalidUpdatedAfter(
      `value must be ${new Date(first).toISOString()} or later: changes are retained for ${changeDays} days; read the whole list`,
    );
}

type RowSelector = (response: Message, updated: UpdatedSubjects) => Message;

/** A list that is not inside another list, with the lists inside its rows. */
interface OuterList {
  readonly path: readonly DescField[];
  readonly lists: readonly FollowedList[];
}

/** Returns a function that selects updated rows. If a row within a row was updated, the outer row is returned. */
function rowSelector(output: DescMessage, lists: readonly FollowedList[]): RowSelector {
  const plain = plainMaker(output);
  const outer = lists
    .filter(({ table }) => !lists.some((other) => isWithin(table.name, other.table.name)))
    .map(
      ({ table }): OuterList => ({
        path: fieldsAlong(output, table.name),
        lists: lists.filter((each) => each.table.name === table.name || isWithin(each.table.name, table.name)),
      }),
    );
  // Two lists must not be in rows of the same outer list, because removing outer rows for one list would shift the
  // indexes with which rows of the other are found.
  const above = outer.flatMap(({ path }) => path.slice(0, -1).filter(({ fieldKind }) => fieldKind === "list"));
  if (new Set(above).size < above.length) throw new Error(`Two lists of ${output.typeName} stand in the same rows`);
  return (response, updated) => {
    const json = plain(response);
    return outer.reduce((left, { path, lists: own }) => {
      const rows = new Set(own.flatMap((list) => updatedRows(list, json, updated, listsIn(path) - 1)));
      return selected(left, json, path, (row) => rows.has(row));
    }, response);
  };
}

function updatedRows(
  { table, key }: FollowedList,
  json: JsonObject,
  updated: UpdatedSubjects,
  depth: number,
): unknown[] {
  return table
    .rowsIn(json, {})
    .filter((place) => updated.has(table.name, subjectOf({ key }, place)))
    .map((place) => place.parents[depth] ?? place.row);
}

function listsIn(path: readonly DescField[]): number {
  return path.filter(({ fieldKind }) => fieldKind === "list").length;
}

function isWithin(name: string, outer: string): boolean {
  return name.startsWith(`${outer}.`);
}

/** Removes the rows that are not selected, and then the rows of outer lists that have become empty. */
function selected(
  message: Message,
  json: JsonValue | undefined,
  [field, ...below]: readonly DescField[],
  retains: (row: unknown) => boolean,
): Message {
  if (!field) return message;
  const value = memberIn(message, field);
  const plainValue = memberOf(json, field);
  const left = (each: Message, plainEach: JsonValue | undefined): Message[] => {
    if (below.length === 0) return retains(plainEach) ? [each] : [];
    const made = selected(each, plainEach, below, retains);
    return hasRows(made, below) ? [made] : [];
  };
  if (Array.isArray(value))
    return withValue(
      message,
      field,
      value.flatMap((each, index) => left(each, Array.isArray(plainValue) ? plainValue[index] : undefined)),
    );
  if (field.fieldKind === "map") {
    const entries = Object.entries<Message>(Object(value)).flatMap(([key, each]) =>
      left(each, plainValue !== undefined && isObject(plainValue) ? plainValue[key] : undefined).map((stored) => [
        key,
        stored,
      ]),
    );
    return withValue(message, field, Object.fromEntries(entries));
  }
  return value === undefined ? message : withValue(message, field, selected(Object(value), plainValue, below, retains));
}

function hasRows(message: Message, [field, ...below]: readonly DescField[]): boolean {
  if (!field) return true;
  const value = memberIn(message, field);
  const rows: Message[] = Array.isArray(value)
    ? value
    : field.fieldKind === "map"
      ? Object.values(Object(value))
      : [Object(value)];
  return rows.some((row) => hasRows(row, below));
}

function memberIn(message: Message, { localName }: DescField): unknown {
  return Reflect.get(message, localName);
}

/** Returns a copy with another value, because responses are shared and cannot be changed. */
function withValue(message: Message, { localName }: DescField, value: unknown): Message {
  const copy: Message = Object.assign(Object.create(Object.getPrototypeOf(message)), message);
  Reflect.set(copy, localName, value);
  return copy;
}

function fieldsAlong(desc: DescMessage, path: string): DescField[] {
  let message: DescMessage | undefined = desc;
  return path.split(".").map((name) => {
    const field: DescField | undefined = message?.fields.find(({ jsonName }) => jsonName === name);
    if (!field) throw new Error(`${desc.typeName} has no rows at ${path}`);
    message = field.message;
    return field;
  });
}
