import type { Updateable } from "kysely";
import type { Plan } from "../../../access/plans.ts";
import type { DeliveryTables, EndpointRow } from "../../../delivery/delivery-table.ts";
import { Conflict, NotFound } from "../../../errors.ts";
import type { Store, Transaction } from "../../../store/tables.ts";

/** This filter matches no chokepoint, so that the endpoint only receives events of alert rules. */
const noChokepoints = { chokepoint_ids: ["-"], alert_threshold: 100 };

export interface NewEndpoint
  extends Pick<EndpointRow, "id" | "account" | "kind" | "name" | "callback_url" | "created_at" | "secret"> {
  readonly token_hash?: string;
}

/** Stores an endpoint. Throws `Conflict` if the account already has as many as its plan includes. */
export async function addEndpoint(
  transaction: Transaction,
  endpoint: NewEndpoint,
  { endpoints: max }: Plan,
): Promise<EndpointRow> {
  // The account is locked, so that two concurrent requests cannot exceed the limit.
  await transaction.selectFrom("account").select("id").where("id", "=", endpoint.account).forUpdate().execute();
  if (max !== undefined && (await countEndpoints(transaction, endpoint.account)) >= max)
    throw new Conflict(`The plan includes ${max} endpoint${max === 1 ? "" : "s"}: delete one first`);
  return transaction
    .withTables<DeliveryTables>()
    .insertInto("webhook")
    .values({ ...endpoint, ...noChokepoints })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function countEndpoints(database: Store, account: string): Promise<number> {
  const { endpoints } = await ofAccount(database, account)
    .select(({ fn }) => fn.countAll<string>().as("endpoints"))
    .executeTakeFirstOrThrow();
  return Number(endpoints);
}

export function endpointsOf(database: Store, account: string): Promise<EndpointRow[]> {
  return ofAccount(database, account).selectAll().orderBy("created_at").orderBy("id").execute();
}

/** Changes an endpoint, which is locked until the change ends. Throws `NotFound` if the account does not have it. */
export function changeEndpoint<T>(
  database: Store,
  { account, id }: { readonly account: string; readonly id: string },
  work: (endpoint: EndpointRow, transaction: Transaction) => Promise<T>,
): Promise<T> {
  return database.transaction().execute(async (transaction) => {
    const row = await ofAccount(transaction, account)
      .selectAll()
      .where("id", "=", id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    return work(found(row), transaction);
  });
}

export function setEndpoint(
  transaction: Transaction,
  id: string,
  values: Updateable<DeliveryTables["webhook"]>,
): Promise<EndpointRow> {
  return transaction
    .withTables<DeliveryTables>()
    .updateTable("webhook")
    .set(values)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes an endpoint and its deliveries. Throws `NotFound` if the account does not have the endpoint. */
export async function dropEndpoint(database: Store, account: string, id: string): Promise<void> {
  const row = await database
    .withTables<DeliveryTables>()
    .deleteFrom("webhook")
    .where("account", "=", account)
    .where("kind", "<>", "chokepoints")
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  found(row);
}

/** Throws `NotFound` if the account lacks an endpoint with one of these IDs. */
export async function requireEndpoints(database: Store, account: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const own = new Set((await endpointsOf(database, account)).map(({ id }) => id));
  const unknown = ids.find((id) => !own.has(id));
  if (unknown !== undefined) throw new NotFound(`Endpoint ${unknown} not found`);
}

/** Returns the state of an endpoint. An unconfirmed email address only receives its confirmation code. */
export function stateOf({
  kind,
  confirmed_at,
  inactive_reason,
}: Pick<EndpointRow, "kind" | "confirmed_at" | "inactive_reason">): "active" | "unconfirmed" | "disabled" {
  if (inactive_reason !== null) return "disabled";
  return kind === "email" && confirmed_at === null ? "unconfirmed" : "active";
}

function ofAccount(database: Store, account: string) {
  return database
    .withTables<DeliveryTables>()
    .selectFrom("webhook")
    .where("account", "=", account)
    .where("kind", "<>", "chokepoints");
}

function found(row: EndpointRow | undefined): EndpointRow {
  if (!row) throw new NotFound("Endpoint not found");
  return row;
}
