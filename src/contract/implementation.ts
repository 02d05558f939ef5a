import type { DescMessage, DescService, Message, MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";

/** What a domain does for one operation. */
export type Implementation = (
  request: Message,
  context: HandlerContext,
) => MessageInitShape<DescMessage> | Promise<MessageInitShape<DescMessage>>;

/** A service of the contract and what serves it. */
export interface Implemented<S extends DescService = DescService> {
  readonly service: S;
  readonly implementation: ServiceImpl<S>;
}
