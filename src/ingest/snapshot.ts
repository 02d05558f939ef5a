import {
  create,
  type DescMessage,
  fromJson,
  type MessageInitShape,
  type MessageShape,
  toJson,
  toJsonString,
} from "@bufbuild/protobuf";
import { sql } from "kysely";
import { validator } from "../contract/rules/validator.ts";
import { inStatements } from "../store/row-set.ts";
import type { Store, Transaction } from "../store/tables.ts";
import type { Dataset, Refresh } from "./dataset.ts";

/** A dataset that is stored as one message, in the snapshot table under the type name of the message. */
export interface SnapshotDataset<R extends DescMessage, M extends DescMessage, N extends string = string>
  extends Dataset<R, N> {
  readonly message: M;
}

interface SnapshotDefinition<R extends DescMessage, M extends DescMessage, N extends string>
  extends Omit<Dataset<R, N>, "write"> {
  readonly message: M;
  /** Combines the rows of all sources into the stored message, without side effects. */
  readonly combine: (refresh: Refresh<R>) => MessageInitShape<M>;
  readonly count: (message: MessageShape<M>) => number;
}

export function snapshot<R extends DescMessage, M extends DescMessage, N extends string>(
  definition: SnapshotDefinition<R, M, N>,
): SnapshotDataset<R, M, N> {
  const { combine, count, ...dataset } = definition;
  return {
    ...dataset,
    write: async (transaction, refresh) =>
      count(await storeMessage(transaction, dataset.message, combine(refresh), refresh.generation)),
  };
}

/** Checks a message against its rules and stores it, so that it replaces the visible message of its type. */
export async function storeMessage<M extends DescMessage>(
  transaction: Transaction,
  schema: M,
  init: MessageInitShape<M>,
  generation: number,
): Promise<MessageShape<M>> {
  const message = create(schema, init);
  const result = validator.validate(schema, message);
  if (result.kind !== "valid") throw result.error;
  const row = { generation, body: toJsonString(schema, message) };
  await transaction
    .insertInto("snapshot")
    .values({ type: schema.typeName, part: "", ...row })
    .onConflict((conflict) => conflict.columns(["type", "part"]).doUpdateSet(row))
    .execute();
  return message;
}

export async function storeParts<M extends DescMessage>(
  database: Store,
  schema: M,
  parts: Iterable<readonly [part: string, message: MessageInitShape<M>]>,
  generation: number,
): Promise<void> {
  function* rows() {
    for (const [part, init] of parts) yield { part, body: toJson(schema, create(schema, init)) };
  }
  await inStatements(rows(), (json) =>
    sql`
    insert into snapshot (type, part, generation, body)
    select ${schema.typeName}, part, ${generation}, body
    from jsonb_to_recordset(${json}::jsonb) as given (part text, body jsonb)
    on conflict (type, part) do update set (generation, body) = (excluded.generation, excluded.body)`.execute(database),
  );
}

export async function dropPart(database: Store, { typeName }: DescMessage, part: string): Promise<boolean> {
  const rows = database.deleteFrom("snapshot").where("type", "=", typeName).where("part", "=", part);
  const { numDeletedRows } = await rows.executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Reads a message. Unknown fields are ignored, because a newer version of the program may have stored it. */
export async function storedMessage<M extends DescMessage>(
  database: Store,
  schema: M,
  part = "",
): Promise<MessageShape<M> | undefined> {
  const row = await database
    .selectFrom("snapshot")
    .select("body")
    .where("type", "=", schema.typeName)
    .where("part", "=", part)
    .executeTakeFirst();
  return row && fromJson(schema, row.body, { ignoreUnknownFields: true });
}
