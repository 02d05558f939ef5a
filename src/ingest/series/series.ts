import { type DescField, type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { field as fieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { field as fieldOption } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { getOption } from "../../contract/option.ts";
import { valueBounds } from "../../contract/rules/value-bounds.ts";
import { described } from "../../contract/schema.ts";
import { storedMessage } from "../snapshot.ts";
import type { DatasetSeries, Series, SeriesPoint } from "./dataset-series.ts";

type Terms = Omit<Series, "title" | "unit" | "scale" | "range" | "methodology"> & { readonly methodology?: string };

/** Creates a series from a field of the contract, which defines its title and unit. */
export function seriesOfField({ methodology = "", ...terms }: Terms, field: DescField): Series {
  const { unit, scale } = getOption(field, fieldOption);
  const { minimum, maximum } = valueBounds(getOption(field, fieldRules));
  const range = typeof minimum === "number" && typeof maximum === "number" ? ([minimum, maximum] as const) : undefined;
  const isWhole = field.scalar === ScalarType.INT32 || field.scalar === ScalarType.INT64;
  return {
    isCount: isWhole && unit === "" && terms.step !== "refresh",
    ...{ ...terms, methodology, unit, scale: scale === 0 ? 1 : scale, ...(range && { range }) },
    get title() {
      return described(`${field.parent.typeName}.${field.name}`).description ?? "";
    },
  };
}

/** Creates a series whose value is not a field of a message. */
export function seriesReported(
  { methodology = "", ...terms }: Terms & Pick<Series, "title">,
  { unit = "", scale = 1 }: Partial<Pick<Series, "unit" | "scale">> = {},
): Series {
  return { ...terms, methodology, unit, scale };
}

export function seriesOfMessage<M extends DescMessage>(
  schema: M,
  series: readonly Series[],
  points: (message: MessageShape<M>, now: Date) => Iterable<SeriesPoint>,
): DatasetSeries {
  return {
    series,
    async read(transaction, now) {
      const message = await storedMessage(transaction, schema);
      return message ? [...points(message, now)] : [];
    },
  };
}

export function sourcesOf({ sources }: Series, all: readonly string[]): readonly string[] {
  return sources ? all.filter((name) => sources.includes(name)) : all;
}
