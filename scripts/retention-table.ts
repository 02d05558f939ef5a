import { retention } from "../src/config/settings/storage.ts";
import { boundedTables, filledTables } from "../src/runtime/bounded-tables.ts";
import { retentions } from "../src/runtime/work/retention.ts";
import { markdownTable } from "./markdown-table.ts";

/** Returns how long the rows of each table are retained, or why the table does not grow without end. */
export function retentionTable(): readonly string[] {
  return [
    ...markdownTable(
      ["Table", "Setting", "Time", "Deleted rows"],
      retentions.map(({ table, stored, ends }) => {
        const setting = typeof stored === "number" ? undefined : retention.retain[stored];
        const days = Number(setting?.default ?? stored);
        return [`\`${table}\``, setting ? `\`${setting.name}\`` : "", days > 1 ? `${days} days` : "", ends];
      }),
    ),
    "",
    ...markdownTable(
      ["Other tables", "Why they do not grow without end"],
      Object.entries(Object.groupBy(Object.entries({ ...boundedTables, ...filledTables }), ([, why]) => why)).map(
        ([why, tables = []]) => [tables.map(([table]) => `\`${table}\``).join(", "), why],
      ),
    ),
  ];
}
