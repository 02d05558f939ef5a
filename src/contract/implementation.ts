import type { DescMessage, Message, MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";

/** What a domain does for one operation. */
export type Implementation = (
  request: Message,
  context: HandlerContext,
) => MessageInitShape<DescMessage> | Promise<MessageInitShape<DescMessage>>;
