import type { Message } from "@bufbuild/protobuf";

/** A request as decoded and validated, and the name of its answer. */
export interface Decoded {
  readonly message: Message;
  readonly key: string;
  /** What is to be made of the answer, and the name of the answer it is made from. */
  readonly projection?: { readonly expression: string; readonly whole: string };
  /** It uses a deprecated parameter. */
  readonly deprecated: boolean;
  /** Names of parameters that count for nothing, as a header tells them. */
  readonly ignored: string | undefined;
  /** Only what is asked for again is worth keeping: requests that never repeat would push out all others. */
  repeated: boolean;
}
