import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";

/** Where the visible generation of a dataset comes from. */
export interface Provenance {
  readonly name: string;
  readonly generation: number;
  readonly origin: "live" | "sample";
  readonly storedAt: Date;
  /** When its main sources, or the newest of all, were last read well: what it tells is as old. */
  readonly readAt: Date;
  /** Rows served. */
  readonly rows: number;
}

/** A generation, with its message where the dataset is kept as one. */
export interface Visible {
  readonly provenance: Provenance;
  readonly message: Message | undefined;
}

/** Which of the generations that may not be served as they are a caller takes. */
export interface Taking {
  /**
   * Also what is too old, or with `incomplete` also what lacks a main part: for answers that tell that with a flag. One that
   * does not is refused in the end, and so is one that takes no notice of there being nothing.
   */
  readonly flagged?: "old" | "incomplete";
}

/** The reading side of the datasets: what is visible now, kept in memory and replaced whole when a generation changes. */
export interface Served {
  /**
   * The visible generation. Throws `Unavailable` when there is none to serve: none was ever stored, live mode found samples,
   * it is too old, or lacks a main part. Notes of the answer what it is made from.
   */
  readonly dataset: (dataset: { readonly name: string }, context: HandlerContext, taking?: Taking) => Provenance;
  /** As `dataset`, but undefined when there is none to serve. */
  readonly datasetIfAny: (
    dataset: { readonly name: string },
    context: HandlerContext,
    taking?: Taking,
  ) => Provenance | undefined;
  /** The current message of a snapshot dataset, frozen. Throws and notes as `dataset` does. */
  readonly message: <M extends DescMessage>(
    dataset: { readonly name: string; readonly message: M },
    context: HandlerContext,
  ) => MessageShape<M>;
  /** As `message`, but undefined when there is none to serve: for answers that have a flag for it. */
  readonly messageIfAny: <M extends DescMessage>(
    dataset: { readonly name: string; readonly message: M },
    context: HandlerContext,
    taking?: Taking,
  ) => MessageShape<M> | undefined;
  /** What is visible of a dataset, whatever its age; notes nothing, for what is told of the data is none of it. */
  readonly visible: (dataset: { readonly name: string }) => Visible | undefined;
  /** Whether a part of a dataset that was last read then may be served; notes of the answer that it is as old as that. */
  readonly mayServe: (dataset: { readonly name: string }, readAt: Date, context: HandlerContext) => boolean;
  /**
   * Calls `load` with the visible generation, at once and after each change, never twice at a time; not with samples in live
   * mode. Where what it loads `onlySpeeds` answers up, a single one is made without it.
   */
  readonly follow: (
    dataset: { readonly name: string },
    load: (provenance: Provenance) => Promise<void>,
    options?: { readonly onlySpeeds?: true },
  ) => void;
}
