import type { ConflictEvent } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { loadRegions } from "../../reference/places/regions.ts";

/** Returns the columns with the code of an event's first-level area and with what the code is derived from. */
export type RegionOf = (event: Pick<ConflictEvent, "country" | "admin1">) => {
  readonly admin1_code: string;
  readonly admin1_from: "name" | "";
};

export async function regionFinder(): Promise<RegionOf> {
  const regions = await loadRegions();
  return ({ country, admin1 }) => {
    const named = regions.namedIn(country, admin1);
    return named ? { admin1_code: named.code, admin1_from: "name" } : { admin1_code: "", admin1_from: "" };
  };
}
