import { type DescMessage, fromJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import { type RawBuilder, sql } from "kysely";
import type { Store } from "../tables.ts";
import { type AgeTerms, type Reading, readingOf } from "./dataset-age.ts";
import type { Visible } from "./served.ts";

export interface StoredTerms extends AgeTerms {
  readonly message?: DescMessage;
}

export interface Stored extends Visible {
  readonly reading: Reading;
}

/** Reads a dataset in one statement, for consistency. Returns undefined if the dataset was never stored. */
export async function loadStored(database: Store, terms: StoredTerms): Promise<Stored | undefined> {
  const { name, message } = terms;
  const row = await storedRow(database, name, message?.typeName ?? "");
  if (row === undefined) return undefined;
  const { origin, stored_at: storedAt, rows, body } = row;
  const fetchedAt = new Map(row.responses.map(({ source, at }) => [source, new Date(at)]));
  const reading = readingOf(terms, fetchedAt, storedAt);
  const { readAt } = reading;
  const provenance = Object.freeze({ name, generation: Number(row.generation), origin, storedAt, readAt, rows });
  return { provenance, reading, message: message && body ? decode(message, body) : undefined };
}

export function storedAtOf(name: string): RawBuilder<Date> {
  return sql<Date>`(select stored_at from dataset where name = ${sql.lit(name)})`;
}

function storedRow(database: Store, name: string, type: string) {
  return database
    .selectFrom("dataset")
    .leftJoin("snapshot", (join) => join.on("snapshot.type", "=", type).on("snapshot.part", "=", ""))
    .selectAll("dataset")
    .select("snapshot.body")
    .select(
      sql<readonly { readonly source: string; readonly at: string }[]>`(
        select coalesce(json_agg(json_build_object('source', source, 'at', fetched_at)), '[]') from source
        where source.dataset = dataset.name and good_origin = dataset.origin and fetched_at is not null)`.as(
        "responses",
      ),
    )
    .where("dataset.name", "=", name)
    .executeTakeFirst();
}

/** Unknown fields are ignored, because a newer program may have stored the message. */
function decode(schema: DescMessage, body: JsonValue): Message {
  const message = fromJson(schema, body, { ignoreUnknownFields: true });
  deepFreeze(message);
  return message;
}

/** Typed arrays cannot be frozen. A loop replaces recursion, because deeply nested data would overflow the stack. */
export function deepFreeze(root: object): void {
  const pending: object[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    Object.freeze(value);
    for (const child of Object.values(value))
      if (typeof child === "object" && child !== null && !ArrayBuffer.isView(child) && !Object.isFrozen(child))
        pending.push(child);
  }
}
