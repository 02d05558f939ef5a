import type { DescMethod } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { requireHistory } from "../access/history-limit.ts";
import type { Plans } from "../access/plans.ts";
import { asOfHeader, asOfOf, asOfParameter, invalid, keptMoment } from "../contract/as-of.ts";
import type { Operation } from "../contract/catalog.ts";
import { type Implementation, type Implemented, implementationsOf, wrapped } from "../contract/implementation.ts";
import { type DomainParts, implementedDomains } from "../domains/index.ts";
import { NotRedistributable } from "../http/errors.ts";
import { historyBegins, inPast } from "../store/history/past.ts";
import { knowsPast, pastReads } from "./past-reads.ts";

export interface PastParts {
  /** What answers of now are made from. */
  readonly domain: DomainParts;
  readonly plans: Plans;
  /** Sources of a read whose terms do not permit to give out what they told earlier. */
  readonly notPassedOn: (method: DescMethod) => readonly string[];
}

/** The same services, whose reads of kept data can be had as of an earlier moment: by the same handlers, on the store as it was. */
export function withPast(implemented: readonly Implemented[], parts: PastParts): readonly Implemented[] {
  return implemented.map((each) =>
    wrapped(each, (operation, implementation) =>
      operation.read && !knowsPast(operation.method) ? answeredAsOf(operation, implementation, parts) : implementation,
    ),
  );
}

function answeredAsOf(
  operation: Operation,
  implementation: Implementation,
  { domain, plans, notPassedOn }: PastParts,
): Implementation {
  const reads = pastReads(operation.method);
  const answerAt = async (at: Date, request: Parameters<Implementation>[0], context: HandlerContext) => {
    if ("refusal" in reads) throw invalid(`value must be absent: ${reads.refusal}`);
    const restricted = notPassedOn(operation.method);
    if (restricted.length > 0)
      throw new NotRedistributable(`as_of: the terms of ${restricted.join(", ")} permit what is told now alone`);
    const { database, data } = domain;
    for (const dataset of reads.serving) {
      const begin = await historyBegins(database, dataset, data);
      if (begin && begin > at)
        throw invalid(`value must be ${begin.toISOString()} or later: no ${dataset.name} are kept from before`);
    }
    const { responseHeader } = context;
    responseHeader.set("Cache-Control", "no-store");
    responseHeader.set(asOfHeader, at.toISOString());
    return inPast(database, { at, data, datasets: reads.behind }, async ({ followed, ...past }) => {
      const served = implementedDomains({ ...domain, ...past }).flatMap(implementationsOf);
      const then = served.find((each) => each.operation.method === operation.method);
      if (!then) throw new Error(`${operation.name} is served by nothing`);
      await followed();
      return then.implementation(request, context);
    });
  };
  return (request, context) => {
    const asOf = asOfOf(context);
    if (!asOf) return implementation(request, context);
    const now = domain.clock().getTime();
    const at = keptMoment(asOf, now);
    requireHistory(context, plans, { parameter: asOfParameter, at, now });
    return answerAt(new Date(at), request, context);
  };
}
