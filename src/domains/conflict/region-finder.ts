import type { ConflictEvent } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { loadRegions, sourceCode } from "../../reference/places/regions.ts";

/** Returns the code of an event's first-level area, and whether it is an ISO code or made from the source's name. */
export type RegionOf = (event: Pick<ConflictEvent, "country" | "admin1">) => {
  readonly admin1_code: string;
  readonly admin1_from: "name" | "source" | "";
};

export async function regionFinder(): Promise<RegionOf> {
  const regions = await loadRegions();
  return ({ country, admin1 }) => {
    const named = regions.namedIn(country, admin1);
    if (named) return { admin1_code: named.code, admin1_from: "name" };
    return country !== "" && admin1 !== ""
      ? { admin1_code: sourceCode(country, admin1), admin1_from: "source" }
      : { admin1_code: "", admin1_from: "" };
  };
}
