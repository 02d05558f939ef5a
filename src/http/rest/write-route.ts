import { create } from "@bufbuild/protobuf";
import { addLimits } from "../../allowance.ts";
import type { Operation } from "../../contract/catalog.ts";
import type { Implementation } from "../../contract/implementation.ts";
import { jsonWriter } from "../../contract/json.ts";
import type { AccessControl } from "../access-control.ts";
import { contentHeaders, send } from "../exchange.ts";
import type { RequestQueue } from "../load/request-queue.ts";
import { noStore } from "./cache-policy.ts";
import { messageReader } from "./request-message.ts";
import type { RestRoute } from "./rest.ts";
import { callerOf, RestContext } from "./rest-context.ts";

/** Serves one write operation as JSON. Its response is never cached. */
export function writeRoute(
  operation: Operation,
  implementation: Implementation,
  { accessControl, queue }: { readonly accessControl: AccessControl; readonly queue: RequestQueue },
): RestRoute {
  const { method, successStatus } = operation;
  const readMessage = messageReader(operation, method.input);
  const write = jsonWriter(method.output);
  return async (exchange) => {
    const { principal, allowance } = await accessControl.admit(operation, exchange);
    if (allowance && principal) addLimits(exchange.headers, allowance, exchange.now);
    const message = await readMessage(exchange);
    const context = new RestContext(method, exchange, () => callerOf(exchange, principal));
    const run = () => implementation(message, context);
    const text = write(create(method.output, await queue.run(exchange, principal, operation, run)));
    const headers = [...noStore, ...context.ownHeaders(), ...exchange.headers];
    if (successStatus === 204) send(exchange, 204, headers);
    else send(exchange, successStatus, [...contentHeaders(text.length), ...headers], text);
    return successStatus;
  };
}
