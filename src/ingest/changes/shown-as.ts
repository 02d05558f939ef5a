import {
  create,
  type DescMessage,
  type DescMethodUnary,
  isMessage,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { plainMaker } from "../../contract/plain.ts";
import type { JsonObject } from "../../contract/request/body.ts";

/** It is set if the stored message has another schema. The rows of the operation are followed. */
export interface ShownAs {
  readonly lists: DescMethodUnary;
  readonly responseOf: (stored: Message) => JsonObject;
}

export function shownAs<M extends DescMessage, O extends DescMessage>(
  message: M,
  lists: DescMethodUnary<DescMessage, O>,
  show: (stored: MessageShape<M>) => MessageInitShape<O>,
): ShownAs {
  const plain = plainMaker(lists.output);
  return {
    lists,
    responseOf: (stored) => (isMessage(stored, message) ? plain(create(lists.output, show(stored))) : {}),
  };
}

export function followedShape(
  { message, shows }: { readonly message: DescMessage; readonly shows?: ShownAs | undefined },
  stored: Message,
): JsonObject {
  return shows ? shows.responseOf(stored) : plainMaker(message)(stored);
}
