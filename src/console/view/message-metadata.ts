import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { TimeEncoding } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { type Column, columnsOf } from "../../contract/columns.ts";
import { plainMaker } from "../../contract/plain.ts";
import { type Html, html } from "../../pages/html.ts";
import { columnUnit, quantityText, unitText } from "./figures.ts";
import { bareLabel, labelOf } from "./labels.ts";

export function messageMetadata<D extends DescMessage>(
  desc: D,
  message: MessageShape<D> | undefined,
  omit: readonly string[] = [],
): Html {
  if (!message) return html``;
  const plain = plainMaker(desc)(message);
  const place = { request: {}, response: {}, parents: [], row: plain };
  const columns = columnsOfMetadata(desc);
  // If two labels are equal without their units, the units distinguish them.
  const bares = columns.map(bareOf);
  const metadata = columns.flatMap((column) => {
    const value = column.read(place);
    if (value === null || value === "" || omit.includes(column.name)) return [];
    const isQuantity = typeof value === "number" && column.time === TimeEncoding.UNSPECIFIED;
    const text = isQuantity ? quantityText(value, column.unit, column.scale) : String(value);
    const label = labelOf(column.name);
    const bare = bareOf(column);
    return [html`<dt>${bares.filter((each) => each === bare).length > 1 ? label : bare}</dt><dd>${text}</dd>`];
  });
  return html`<dl class="facts-list">${metadata}</dl>`;
}

function bareOf({ name, unit, scale }: Column): string {
  return bareLabel(labelOf(name), columnUnit(unit, scale), unitText(unit));
}

const known = new WeakMap<DescMessage, readonly Column[]>();

function columnsOfMetadata(desc: DescMessage): readonly Column[] {
  const columns = known.get(desc) ?? columnsOf(desc, "", ({ row }) => row, true);
  known.set(desc, columns);
  return columns;
}
