import type { DescMessage, DescService, Message, MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { type Operation, operationsOf } from "./catalog.ts";

/** What a domain does for one operation. */
export type Implementation = (
  request: Message,
  context: HandlerContext,
) => MessageInitShape<DescMessage> | Promise<MessageInitShape<DescMessage>>;

/** An operation and the function that serves it. */
export interface Served {
  readonly operation: Operation;
  readonly implementation: Implementation;
}

/** A service of the contract and what serves it. */
export interface Implemented<S extends DescService = DescService> {
  readonly service: S;
  readonly implementation: ServiceImpl<S>;
}

/** Each operation of a service and what serves it. */
export function implementationsOf({ service, implementation }: Implemented): readonly Served[] {
  const methods = implementation as Readonly<Record<string, Implementation | undefined>>;
  return operationsOf(service).flatMap((operation) => {
    const served = methods[operation.method.localName];
    return served ? [{ operation, implementation: served }] : [];
  });
}

/** The same service, some of whose operations are served by something round what serves them. */
export function wrapped(
  implemented: Implemented,
  wrap: (operation: Operation, implementation: Implementation) => Implementation,
): Implemented {
  const methods = implementationsOf(implemented).map(({ operation, implementation }) => [
    operation.method.localName,
    wrap(operation, implementation),
  ]);
  return {
    service: implemented.service,
    implementation: { ...implemented.implementation, ...Object.fromEntries(methods) },
  };
}
