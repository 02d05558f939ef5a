import {
  create,
  type DescMessage,
  type DescMethodUnary,
  isMessage,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import type { Principal } from "../../access/keys/api-key.ts";
import type { RequestLog } from "../../access/request-log.ts";
import type { Served } from "../../contract/implementation.ts";
import type { AccessControl } from "../../http/access-control.ts";
import { toFailure } from "../../http/errors.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { RequestQueue } from "../../http/load/request-queue.ts";
import { callerOf, RestContext } from "../../http/rest/rest-context.ts";
import type { ClientInfo } from "../../interceptors/client-info.ts";
import { validate } from "../../interceptors/validate.ts";

export type Call = <I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  init: MessageInitShape<I>,
) => Promise<MessageShape<O>>;

export interface WriteParts {
  readonly offered: readonly Served[];
  readonly accessControl: AccessControl;
  readonly queue: RequestQueue;
  /** Logs the operation like an API request, because the path of the page does not show which operation ran. */
  readonly note: RequestLog["note"];
}

/**
 * Runs a write operation like an API call of the signed-in account: authorized, counted, validated, audited, and
 * logged.
 */
export type Write = <I extends DescMessage, O extends DescMessage>(
  exchange: Exchange,
  principal: Principal,
  method: DescMethodUnary<I, O>,
  init: MessageInitShape<I>,
) => Promise<MessageShape<O>>;

export function createWrite({ offered, accessControl, queue, note }: WriteParts): Write {
  return async (exchange, known, method, init) => {
    const served = offered.find(({ operation }) => operation.method === method);
    if (!served) throw new TypeError(`${method.name} has no handler`);
    const { operation, implementation } = served;
    const client: ClientInfo = { head: {}, now: exchange.now, address: () => exchange.address(), known };
    const ended = (status: number) => {
      const { id, now: at, startedAt } = exchange;
      const milliseconds = performance.now() - startedAt;
      note(known, { id, at, operation: operation.name, status, cost: client.cost ?? 0, milliseconds });
    };
    try {
      const { principal } = await accessControl.admit(operation, client);
      const message = create(method.input, init);
      validate(operation, message);
      const context = new RestContext(method, exchange, () => callerOf(exchange, principal));
      const run = () => implementation(message, context);
      const made = await queue.run(exchange, principal, operation, run);
      const response = create(operation.method.output, made);
      if (!isMessage(response, method.output)) throw new TypeError(`${method.name} returned another message`);
      ended(operation.successStatus);
      return response;
    } catch (error) {
      ended(toFailure(error, exchange.now).status);
      throw error;
    }
  };
}
