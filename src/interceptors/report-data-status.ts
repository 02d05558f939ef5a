import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { rejectPast } from "../contract/as-of.ts";
import { saysUnavailable } from "../contract/availability.ts";
import type { Operation } from "../contract/catalog.ts";
import { dataStatusHeaders } from "../contract/data-status.ts";
import type { Step } from "../contract/implementation.ts";
import { asOfKey, dataStatusKey, isSampleKey, isTransientKey } from "../contract/request-context.ts";
import { NothingToServe } from "../errors.ts";

type Response = MessageInitShape<DescMessage>;

/** Adds headers for the age of data. Rejects data that is too old, unless the response says so itself. */
export function reportDataStatus(
  { read, method: { output } }: Operation,
  { domain: { clock } }: { readonly domain: { readonly clock: () => Date } },
): Step | undefined {
  if (!read) return undefined;
  const isFlagged = saysUnavailable(output);
  const report = (response: Response, context: HandlerContext): Response => {
    const { responseHeader, values } = context;
    if (values.get(isSampleKey)) responseHeader.set("X-Data-Origin", "sample");
    const dataStatus = values.get(dataStatusKey);
    if (!dataStatus) return response;
    const saysSo = () => isFlagged(create(output, response)) || values.get(isTransientKey);
    if (dataStatus.rejection !== undefined && !saysSo()) throw new NothingToServe(dataStatus.rejection);
    for (const [name, value] of dataStatusHeaders(dataStatus)) responseHeader.set(name, value);
    return response;
  };
  return (request, context, next) => {
    const response = next(request, context);
    if (!(response instanceof Promise)) return report(response, context);
    const reported = response.then((settled) => report(settled, context));
    const { at = Number.POSITIVE_INFINITY } = context.values.get(asOfKey) ?? {};
    return at < clock().getTime() ? reported.catch(rejectPast) : reported;
  };
}
