import { type DescField, type DescMessage, type DescMethod, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { field as fieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { Transaction } from "kysely";
import { field as fieldOption } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { getOption } from "../../contract/option.ts";
import { valueBounds } from "../../contract/rules/value-bounds.ts";
import { described } from "../../contract/schema.ts";
import type { StoreTables } from "../../store/tables.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import { storedMessage } from "../snapshot.ts";
import type { Requested, SourceTerms } from "../source.ts";

/** Time between the points of a series: its source's, or that between the refreshes of its dataset. */
export type Step = "refresh" | "day" | "week" | "month" | "quarter" | "year";

/** A figure over time, by key. */
export interface Series {
  readonly id: string;
  readonly title: string;
  /** UCUM or ISO 4217; empty: a pure number. */
  readonly unit: string;
  readonly scale: number;
  /** Its least and greatest value, where the contract says them. */
  readonly range?: readonly [number, number];
  /** Whether its values count what happened in each step, so that they can be added up. */
  readonly isCount?: boolean;
  /** What its keys are made of. */
  readonly keyParts: readonly string[];
  /** All first parts that its keys can have, where the program fixes them. */
  readonly keys?: readonly string[];
  readonly step: Step;
  /** The read that tells the current figure: its access rules hold. */
  readonly shownBy: DescMethod;
  /** Those of the dataset's sources that it is from; all when absent. */
  readonly sources?: readonly string[];
  /** Version of the methodology, where the figure is computed here. */
  readonly methodology: string;
}

/** A measured figure; one that is unknown is no point. */
export interface SeriesPoint {
  readonly series: Series;
  /** Its parts, separated by `/`. */
  readonly key: string;
  readonly at: Date;
  readonly value: number;
  /** Inputs that were missing when the value was computed: values with other inputs are not compared. */
  readonly missing?: readonly string[];
}

/** The series of a dataset, and the points that a refresh brings. */
export interface DatasetSeries {
  readonly series: readonly Series[];
  /** Keys that had a value earlier and have none now count 0 on the days that are read. */
  readonly absentIsZero?: true;
  readonly read: (transaction: Transaction<StoreTables>, now: Date) => Promise<readonly SeriesPoint[]>;
  /** How its source is asked for what they were before; absent where it does not tell, or tells with every refresh. */
  readonly backfill?: Backfill;
}

/** How a source is asked for earlier points. */
export interface Backfill {
  readonly source: SourceTerms & Requested;
  /** The first day of which it tells, YYYY-MM-DD. */
  readonly begins: string;
  /** Both days are included; points of other days are left out. */
  readonly read: (
    upstream: Upstream,
    span: { readonly from: string; readonly to: string },
  ) => Promise<readonly SeriesPoint[]>;
}

type Terms = Omit<Series, "title" | "unit" | "scale" | "range" | "methodology"> & { readonly methodology?: string };

/** A series whose figure is a field of the contract, which says what it is and in which unit. */
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

/** A series whose figure is a field of no message. */
export function seriesReported(
  { methodology = "", ...terms }: Terms & Pick<Series, "title">,
  { unit = "", scale = 1 }: Partial<Pick<Series, "unit" | "scale">> = {},
): Series {
  return { ...terms, methodology, unit, scale };
}

/** Points that are read from the message that a dataset is kept as. */
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

/** Of these sources the ones that a series is from. */
export function sourcesOf({ sources }: Series, all: readonly string[]): readonly string[] {
  return sources ? all.filter((name) => sources.includes(name)) : all;
}
