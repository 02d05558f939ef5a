import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Change } from "../../../gen/es/ids/changes/v1/changes_pb.ts";
import type { Column } from "../../contract/columns.ts";
import { isObject } from "../../contract/request/body.ts";
import { tablesOf } from "../../contract/tables.ts";
import type { Sections } from "../sections.ts";
import { isNumeric } from "../view/data-table.ts";
import { quantityText } from "../view/figures.ts";
import { bareLabel, labelOf } from "../view/labels.ts";

/** Told of one row. */
const mostFigures = 2;

/** The figures of a row that were and are known, as `Combined score 79 → 78`, in the contract's order. */
export function movesOf({ dataset, rows, before, after }: Change, { operations, facts }: Sections): string[] {
  if (!before || !after) return [];
  const page = `/data/${dataset}`;
  const tables = operations.filter((each) => facts.pageOf(each) === page).flatMap(tablesOf);
  const columns = tables.find(({ name }) => name === rows)?.columns ?? [];
  return columns
    .filter(isNumeric)
    .flatMap((column) => {
      const [from, to] = [before, after].map((row) => textIn(row, column));
      return from === undefined || to === undefined || from === to
        ? []
        : [`${bareLabel(labelOf(column.name))} ${from} → ${to}`];
    })
    .slice(0, mostFigures);
}

function textIn(row: JsonObject, { name, unit, scale }: Column): string | undefined {
  const value = name.split(".").reduce<JsonValue>((of, part) => (isObject(of) ? (of[part] ?? null) : null), row);
  const figure = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof figure === "number" && !Number.isNaN(figure) ? quantityText(figure, unit, scale) : undefined;
}
