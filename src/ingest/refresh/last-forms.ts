import type { Kysely } from "kysely";
import type { StoreTables } from "../../store/tables.ts";
import { type Shape, shapeSchema } from "../drift/shape.ts";

/** Returns the shape and the number of rows of the last good live response of every source, by `dataset source`. */
export async function lastForms(
  database: Kysely<StoreTables>,
): Promise<ReadonlyMap<string, { readonly shape: Shape | undefined; readonly rows: number }>> {
  const rows = await database
    .selectFrom("source")
    .select(["dataset", "source", "shape", "rows_in", "rejected"])
    .where("good_origin", "=", "live")
    .execute();
  return new Map(
    rows.map(({ dataset, source, shape, rows_in: rowsIn, rejected }) => [
      `${dataset} ${source}`,
      { shape: shape === null ? undefined : shapeSchema.parse(shape), rows: rowsIn - rejected },
    ]),
  );
}
