import { sql } from "kysely";
import { z } from "zod";
import { MilitaryBaseSchema, MilitaryService } from "../../../../gen/es/ids/military/v1/military_pb.ts";
import { rowFeatures } from "../../../ingest/changes/followed-tables.ts";
import { dataset } from "../../../ingest/dataset.ts";
import { prepareLand } from "../../../reference/places/land.ts";
import { countBaseRows, insertBases } from "./base-table.ts";
import { merge } from "./merge.ts";
import { curated } from "./sources/curated.ts";
import { mirta } from "./sources/mirta.ts";
import { overpass } from "./sources/overpass.ts";

const [text, flag] = [z.string(), z.boolean()];

const rowSchema = z.object({
  ...{ id: text, name: text, kind: text, country_iso2: text, type: text, branch: text, status: text },
  ...{ latitude: z.number(), longitude: z.number(), tier: z.number() },
  ...{ cat_airforce: flag, cat_naval: flag, cat_nuclear: flag, cat_space: flag, cat_training: flag },
});

const baseFeatures = rowFeatures({
  lists: MilitaryService.method.listMilitaryBases,
  message: MilitaryBaseSchema,
  subject: sql`id`,
  visible: (condition) => sql`
    select to_jsonb(military_base) - 'generation' from military_base
    where ${condition} and generation = (select max(generation) from military_base)`,
  toRow(stored) {
    const base = rowSchema.parse(stored);
    return {
      ...base,
      countryIso2: base.country_iso2,
      catAirforce: base.cat_airforce,
      catNaval: base.cat_naval,
      catNuclear: base.cat_nuclear,
      catSpace: base.cat_space,
      catTraining: base.cat_training,
    };
  },
});

function movedBases(generation: number) {
  const of = (which: "=" | "<") =>
    sql`(select id, to_jsonb(military_base) - 'generation' as base from military_base
      where generation ${sql.raw(which)} ${generation})`;
  return sql`
    select id, earlier.base from ${of("<")} as earlier full join ${of("=")} as later using (id)
    where earlier.base is distinct from later.base`;
}

/** The military bases of the world. They are stored as rows of a table, because one message would be too large. */
export const militaryBases = dataset({
  name: "military-bases",
  subject: "Military bases and installations worldwide, with location, kind and branch.",
  notIncluded: [
    "troops at a base, soldiers at a base, aircraft at a base: position, kind, branch, and type of each base",
  ],
  row: MilitaryBaseSchema,
  schedule: "17 3 * * 0",
  freshForMinutes: 60 * 24 * 60,
  serves: [MilitaryService.method.listMilitaryBases],
  main: [overpass, mirta],
  storedTables: ["military_base"],
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
