import type { DescMessage, DescService, Message, MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { type Operation, operationsOf } from "./catalog.ts";

export type Implementation = (
  request: Message,
  context: HandlerContext,
) => MessageInitShape<DescMessage> | Promise<MessageInitShape<DescMessage>>;

/** A function around the handler of an operation. To continue, it calls `next` with the same arguments. */
export type Step = (request: Message, context: HandlerContext, next: Implementation) => ReturnType<Implementation>;

export interface Served {
  readonly operation: Operation;
  readonly implementation: Implementation;
}

export interface Implemented<S extends DescService = DescService> {
  readonly service: S;
  readonly implementation: ServiceImpl<S>;
}

export function implementationsOf({ service, implementation }: Implemented): readonly Served[] {
  const methods: Readonly<Record<string, Implementation | undefined>> = implementation;
  return operationsOf(service).flatMap((operation) => {
    const served = methods[operation.method.localName];
    return served ? [{ operation, implementation: served }] : [];
  });
}

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
