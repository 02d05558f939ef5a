import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Store } from "../tables.ts";

export interface Provenance {
  readonly name: string;
  readonly generation: number;
  readonly origin: "live" | "sample";
  readonly storedAt: Date;
  /** Last successful read of the oldest main source, or else of the newest source. The data has this age. */
  readonly readAt: Date;
  readonly rows: number;
}

export interface Visible {
  readonly provenance: Provenance;
  readonly message: Message | undefined;
}

export interface AgeTolerance {
  /**
   * `old` also accepts data that is too old, and `incomplete` data without a main part. The response must then report
   * this with a flag, or it is rejected at the end. The same applies to a response that ignores missing data.
   */
  readonly flagged?: "old" | "incomplete";
}

/** The parts with which the operations of a domain read its data. */
export interface ServedParts {
  readonly database: Store;
  readonly served: Served;
  readonly clock: () => Date;
}

/** The visible datasets in memory. A change of generation replaces a dataset as a whole. */
export interface Served {
  /**
   * Returns the visible generation and records it in the status of the response. Throws `Unavailable` if there is none:
   * it was never stored, has samples in live mode, is too old, or lacks a main part.
   */
  readonly dataset: (
    dataset: { readonly name: string },
    context: HandlerContext,
    tolerance?: AgeTolerance,
  ) => Provenance;
  /** Like `dataset`, but returns undefined if no generation may be served. */
  readonly datasetIfAny: (
    dataset: { readonly name: string },
    context: HandlerContext,
    tolerance?: AgeTolerance,
  ) => Provenance | undefined;
  /** Returns the current message of a snapshot dataset, frozen. Throws and records like `dataset`. */
  readonly message: <M extends DescMessage>(
    dataset: { readonly name: string; readonly message: M },
    context: HandlerContext,
  ) => MessageShape<M>;
  /** Like `message`, but returns undefined if no message may be served. The response must report this with a flag. */
  readonly messageIfAny: <M extends DescMessage>(
    dataset: { readonly name: string; readonly message: M },
    context: HandlerContext,
    tolerance?: AgeTolerance,
  ) => MessageShape<M> | undefined;
  /** Returns the generation without recording it, for a response that describes the data and does not contain it. */
  readonly visible: (dataset: { readonly name: string }) => Visible | undefined;
  /** Returns whether data of this age may be served. If so, records the time in the status of the response. */
  readonly mayServe: (dataset: { readonly name: string }, readAt: Date, context: HandlerContext) => boolean;
  /**
   * Calls `load` with the visible generation, immediately and after each change, without overlap. Samples are skipped
   * in live mode. If `onlySpeeds`, loading only makes reads faster, so single reads of past data skip it.
   */
  readonly follow: (
    dataset: { readonly name: string },
    load: (provenance: Provenance) => Promise<void>,
    options?: { readonly onlySpeeds?: true },
  ) => void;
}
