import type { JsonValue } from "@bufbuild/protobuf";
import type { Column } from "../../../contract/columns.ts";

/** Returns a column with the share that each group has of the total. */
export function shareColumn(all: readonly Column[], of: "rows" | "sum", total: number): readonly Column[] {
  const shareOf = (value: JsonValue) => (typeof value === "number" && total > 0 ? value / total : null);
  return all.flatMap((column) =>
    column.name === of
      ? [
          {
            ...column,
            name: "share",
            type: "number",
            unit: "%",
            unitFrom: "",
            scale: 100,
            read: (at) => shareOf(column.read(at)),
          },
        ]
      : [],
  );
}
