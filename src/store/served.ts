import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";

/** Where the visible generation of a dataset comes from. */
export interface Provenance {
  readonly name: string;
  readonly generation: number;
  readonly origin: "live" | "sample";
  readonly storedAt: Date;
  /** Rows served. */
  readonly rows: number;
}

/** The reading side of the datasets: what is visible now, kept in memory and replaced whole when a generation changes. */
export interface Served {
  /** The visible generation. Throws `Unavailable` when none was ever stored; marks the answer when it is made from samples. */
  readonly dataset: (dataset: { readonly name: string }, context: HandlerContext) => Provenance;
  /** As `dataset`, but undefined when none was ever stored. */
  readonly datasetIfAny: (dataset: { readonly name: string }, context: HandlerContext) => Provenance | undefined;
  /** The current message of a snapshot dataset, frozen. Throws and marks as `dataset` does. */
  readonly message: <M extends DescMessage>(
    dataset: { readonly name: string; readonly message: M },
    context: HandlerContext,
  ) => MessageShape<M>;
  /** As `message`, but undefined when none was ever stored: for answers that have a flag for it. */
  readonly messageIfAny: <M extends DescMessage>(
    dataset: { readonly name: string; readonly message: M },
    context: HandlerContext,
  ) => MessageShape<M> | undefined;
  /** Calls `load` with the visible generation, at once and after each change, never twice at a time. */
  readonly follow: (dataset: { readonly name: string }, load: (provenance: Provenance) => Promise<void>) => void;
}
