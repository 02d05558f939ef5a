import { MilitaryBaseSchema, MilitaryService } from "../../../../gen/es/ids/military/v1/military_pb.ts";
import { dataset } from "../../../ingest/dataset.ts";
import { prepareLand } from "../../../reference/places/land.ts";
import { baseFeatures, movedBases } from "./base-features.ts";
import { countBaseRows, insertBases } from "./base-table.ts";
import { merge } from "./merge.ts";
import { curated } from "./sources/curated.ts";
import { mirta } from "./sources/mirta.ts";
import { overpass } from "./sources/overpass.ts";

/** Military bases of the world, kept as rows: too many for one message. */
export const militaryBases = dataset({
  name: "military-bases",
  subject: "Military bases and installations worldwide, with location, kind and branch.",
  row: MilitaryBaseSchema,
  schedule: "17 3 * * 0",
  freshForMinutes: 60 * 24 * 60,
  serves: [MilitaryService.method.listMilitaryBases],
  main: [overpass, mirta],
  keptTables: ["military_base"],
  sources: [overpass, mirta, curated],
  countRows: countBaseRows,
  features: baseFeatures,
  async write(transaction, { bySource, generation, noteRows }) {
    const surveyed = [overpass, mirta].flatMap(({ name }) => bySource.get(name) ?? []);
    await prepareLand();
    const bases = merge(surveyed, bySource.get(curated.name) ?? []);
    await insertBases(transaction, generation, bases);
    await noteRows?.(movedBases(generation));
    return bases.length;
  },
});
