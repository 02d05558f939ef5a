import type { DescMessage, JsonValue } from "@bufbuild/protobuf";
import { Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { columnsOf, isFigure } from "../../contract/columns.ts";
import { amountText, quantityText } from "./figures.ts";

/** Maximum number of named items of a list with shares. */
const maxItems = 3;

/** Returns `China 67.81%, Myanmar 7.51%, and 9 more`; undefined if the items have no name or no share. */
export function sharesText(desc: DescMessage, items: readonly JsonValue[]): string | undefined {
  const columns = columnsOf(desc, "", ({ row }) => row, false);
  const label = columns.find(({ role }) => role === Role.LABEL);
  const share = columns.find((column) => isFigure(column) && column.unit === "%");
  if (!label || !share) return undefined;
  const texts = items.slice(0, maxItems).map((row) => {
    const place = { request: {}, response: {}, parents: [], row };
    const value = share.read(place);
    return `${String(label.read(place))} ${typeof value === "number" ? quantityText(value, share.unit, share.scale) : "–"}`;
  });
  return [...texts, ...(items.length > maxItems ? [`and ${items.length - maxItems} more`] : [])].join(", ");
}

/** Maximum number of values with which a cell shows an object, such as name, value, and period. */
const maxParts = 3;

/** Returns the text of a cell. An object in a list is shown by its first values, without flags. */
export function textOf(value: JsonValue): string {
  if (Array.isArray(value) && value.some((item) => typeof item === "object")) {
    const isFlat = value.every((item) => Object.values(item ?? {}).every((part) => typeof part !== "object"));
    if (!isFlat) return amountText(value.length, "entry", "entries");
    return value
      .map((item) =>
        Object.values(item ?? {})
          .filter((part) => typeof part !== "boolean")
          .slice(0, maxParts)
          .join(" "),
      )
      .join("; ");
  }
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
