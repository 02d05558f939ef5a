import { create } from "@bufbuild/protobuf";
import { type Change, ChangeSchema } from "../../gen/es/ids/changes/v1/changes_pb.ts";
import { plainMaker } from "../contract/plain.ts";
import type { Json } from "../projection/value.ts";
import type { LoggedChange } from "../store/changes/change-log.ts";

const plain = plainMaker(ChangeSchema);

/** An entry of the change log. It is serialized once per format for all readers. */
export class ChangeEntry {
  readonly logged: LoggedChange;
  #message: Change | undefined;
  #plain: Json | undefined;
  #frame: Buffer | undefined;

  constructor(logged: LoggedChange) {
    this.logged = logged;
  }

  get position(): number {
    return this.logged.position;
  }

  get message(): Change {
    this.#message ??= messageOf(this.logged);
    return this.#message;
  }

  /** Entry as plain JSON, on which conditions are evaluated. */
  get plain(): Json {
    this.#plain ??= plain(this.message);
    return this.#plain;
  }

  get frame(): Buffer {
    const { position, kind } = this.logged;
    this.#frame ??= Buffer.from(`id: ${position}\nevent: ${kind}\ndata: ${JSON.stringify(this.plain)}\n\n`);
    return this.#frame;
  }
}

function messageOf({ position, at, dataset, kind, rows, subject, country, before, after }: LoggedChange): Change {
  return create(ChangeSchema, {
    ...{ position: BigInt(position), at: BigInt(at.getTime()), dataset, kind, rows, subject, country },
    ...(before && { before }),
    ...(after && { after }),
  });
}
