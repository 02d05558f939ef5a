import type { Kysely } from "kysely";
import {
  type GetEuGasStorageResponse,
  GetEuGasStorageResponseSchema,
} from "../../../gen/es/ids/economic/v1/economic_pb.ts";
import { storedMessage } from "../../ingest/snapshot.ts";
import type { StoreTables } from "../../store/tables.ts";
import { euGasStorage } from "./gas-storage/eu-gas-storage.ts";
import { globalTenders } from "./tenders/global-tenders.ts";

export { checkTenders, matchingTenders } from "./tender-match.ts";

export { euGasStorage, globalTenders };

/** Returns the stored level of the EU gas storage, or undefined if it is unknown. */
export async function storedGasStorage(database: Kysely<StoreTables>): Promise<GetEuGasStorageResponse | undefined> {
  const stored = await storedMessage(database, GetEuGasStorageResponseSchema);
  return stored?.unavailable === false ? stored : undefined;
}
