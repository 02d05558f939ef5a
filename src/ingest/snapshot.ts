import { create, type DescMessage, type MessageInitShape, type MessageShape, toJsonString } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import type { Dataset, Refresh } from "./dataset.ts";

/** A dataset whose whole value is one message, kept in the snapshot table under the message's type name. */
export interface SnapshotDataset<R extends DescMessage, M extends DescMessage> extends Dataset<R> {
  readonly message: M;
}

interface SnapshotDefinition<R extends DescMessage, M extends DescMessage> extends Omit<Dataset<R>, "write"> {
  readonly message: M;
  /** Pure: the rows of all sources become the message. */
  readonly combine: (refresh: Refresh<R>) => MessageInitShape<M>;
  readonly count: (message: MessageShape<M>) => number;
}

const validator = createValidator();

export function snapshot<R extends DescMessage, M extends DescMessage>(
  definition: SnapshotDefinition<R, M>,
): SnapshotDataset<R, M> {
  const { combine, count, ...dataset } = definition;
  return {
    ...dataset,
    async write(transaction, refresh) {
      const message = create(dataset.message, combine(refresh));
      const verdict = validator.validate(dataset.message, message);
      if (verdict.kind !== "valid") throw verdict.error;
      const row = { generation: refresh.generation, body: toJsonString(dataset.message, message) };
      await transaction
        .insertInto("snapshot")
        .values({ type: dataset.message.typeName, part: "", ...row })
        .onConflict((conflict) => conflict.columns(["type", "part"]).doUpdateSet(row))
        .execute();
      return count(message);
    },
  };
}
