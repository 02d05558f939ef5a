import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Store } from "../tables.ts";

export interface Provenance {
  readonly name: string;
  readonly generation: number;
  readonly origin: "live" | "sample";
  readonly storedAt: Date;
  /** When the oldest main source was read, or without main sources, the newest source. This is the age of the data. */
  readonly readAt: Date;
  readonly rows: number;
}

export interface Visible {
  readonly provenance: Provenance;
  readonly message: Message | undefined;
}

export interface AgeTolerance {
  /**
   * `old` also accepts data that is too old, and `incomplete` data without a main part. The response must say this in a
   * field, or it is rejected at the end. The same applies to a response that ignores missing data.
   */
  readonly flagged?: "old" | "incomplete";
}

/** The parts with which the operations of a domain read its data. */
export interface ServedParts {
  readonly database: Store;
  readonly served: Served;
  readonly clock: () => Date;
}

/** The datasets in memory, as readers see them. A new version of a dataset replaces it as a whole. */
export interface Served {
  /**
   * Returns the visible version of a dataset and records it in the status of the response. Throws `Unavailable` if
   * there is none: it was never stored, has samples in live mode, is too old, or lacks a main part.
   */
  readonly dataset: (
    dataset: { readonly name: string },
    context: HandlerContext,
    tolerance?: AgeTolerance,
  ) => Provenance;
  /** Like `dataset`, but returns undefined if the dataset must not be served. */
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
  /** Like `message`, but returns undefined if the message must not be served. The response must say this in a field. */
  readonly messageIfAny: <M extends DescMessage>(
    dataset: { readonly name: string; readonly message: M },
    context: HandlerContext,
    tolerance?: AgeTolerance,
  ) => MessageShape<M> | undefined;
  /** Returns a dataset without recording this, for a response that describes the data and does not contain it. */
  readonly visible: (dataset: { readonly name: string }) => Visible | undefined;
  /** Returns whether data of this age may be served. If so, records the time in the status of the response. */
  readonly mayServe: (dataset: { readonly name: string }, readAt: Date, context: HandlerContext) => boolean;
  /**
   * Calls `load` with the visible version of a dataset, now and after each change, without overlap. Samples are skipped
   * in live mode. `onlySpeeds` means that loading only makes reads faster, so a read of past data skips it.
   */
  readonly follow: (
    dataset: { readonly name: string },
    load: (provenance: Provenance) => Promise<void>,
    options?: { readonly onlySpeeds?: true },
  ) => void;
}
