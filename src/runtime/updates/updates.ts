import type { DescMethod } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { asOfOf } from "../../contract/as-of.ts";
import type { Operation } from "../../contract/catalog.ts";
import { type Implementation, type Implemented, wrapped } from "../../contract/implementation.ts";
import {
  invalidUpdatedAfter,
  selectsUpdates,
  updatedAfterOf,
  updatedAfterParameter,
  updatedAtHeader,
} from "../../contract/updated-after.ts";
import type { DomainParts } from "../../domains/index.ts";
import { NotRedistributable } from "../../http/errors.ts";
import { dayMs } from "../../reference/duration.ts";
import { changeDays } from "../../store/changes/change-retention.ts";
import { updatedSubjects } from "../../store/changes/updated-subjects.ts";
import { type FollowedRead, followedRead } from "./followed-reads.ts";
import { rowSelector } from "./updated-rows.ts";

export interface UpdateParts {
  /** What answers of now are made from. */
  readonly domain: Pick<DomainParts, "database" | "served" | "data" | "clock">;
  /** Sources of a read of whose rows nothing may be logged. */
  readonly notPassedOn: (method: DescMethod) => readonly string[];
}

/** The same service, of whose reads those rows can be had that appeared or changed after a moment; the others say why not. */
export function withUpdates(implemented: Implemented, parts: UpdateParts): Implemented {
  return wrapped(implemented, (operation, implementation) => {
    if (!operation.read || selectsUpdates(operation)) return implementation;
    const read = followedRead(operation.method);
    return "lists" in read ? updated(operation, implementation, read, parts) : refusing(implementation, read.refusal);
  });
}

function refusing(implementation: Implementation, reason: string): Implementation {
  return (request, context) => {
    if (updatedAfterOf(context) !== undefined) throw invalidUpdatedAfter(`value must be absent: ${reason}`);
    return implementation(request, context);
  };
}

function updated(
  { method }: Operation,
  implementation: Implementation,
  { lists, datasets }: Extract<FollowedRead, { lists: unknown }>,
  { domain, notPassedOn }: UpdateParts,
): Implementation {
  const { database, served, data, clock } = domain;
  const select = rowSelector(method.output, lists);
  /** The oldest of them: what a later refresh of another brought is then there twice, and never missed. */
  const updatedAt = () => {
    const storedAt = datasets.flatMap((dataset) => served.visible(dataset)?.provenance.storedAt.getTime() ?? []);
    return storedAt.length < datasets.length ? undefined : new Date(Math.min(...storedAt));
  };
  const since = async (after: number, request: Parameters<Implementation>[0], context: HandlerContext) => {
    requireLogged(after, clock().getTime());
    const restricted = notPassedOn(method);
    if (restricted.length > 0)
      throw new NotRedistributable(
        `${updatedAfterParameter}: the terms of ${restricted.join(", ")} do not permit to log what changes`,
      );
    const answer = create(method.output, await implementation(request, context));
    // After the answer: what became visible meanwhile is in the log.
    const subjects = await updatedSubjects(database, {
      datasets: datasets.map(({ name }) => name),
      after: new Date(after),
      liveOnly: data === "live",
    });
    return select(answer, subjects);
  };
  return (request, context) => {
    const after = updatedAfterOf(context);
    if (asOfOf(context)) {
      if (after !== undefined) throw invalidUpdatedAfter("value must be absent with as_of");
      return implementation(request, context);
    }
    // Before the answer: what becomes visible meanwhile is of a later moment.
    const at = updatedAt();
    if (at) context.responseHeader.set(updatedAtHeader, at.toISOString());
    return after === undefined ? implementation(request, context) : since(after, request, context);
  };
}

/** Throws `InvalidRequest` for a moment from which on not all changes are kept. */
function requireLogged(after: number, now: number): void {
  const first = now - changeDays * dayMs;
  if (after < first)
    throw invalidUpdatedAfter(
      `value must be ${new Date(first).toISOString()} or later: changes are kept for ${changeDays} days; read the whole list`,
    );
}
