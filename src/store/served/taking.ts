import { type DescMessage, isMessage, type MessageShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { type DataStatus, noteDataStatus, noteGeneration } from "../../contract/data-status.ts";
import { NothingToServe } from "../../errors.ts";
import { type AgeTerms, dataStatusAt, dataStatusWithInputs } from "./dataset-age.ts";
import type { Served, Taking } from "./served.ts";
import type { Stored } from "./stored-dataset.ts";

/** What is taken from, and when. */
export interface TakenFrom {
  readonly termsOf: (name: string) => AgeTerms | undefined;
  /** What may be seen of a dataset. */
  readonly visibleOf: (name: string) => Stored | undefined;
  readonly clock: () => Date;
}

/** How handlers take what an answer is made from. */
export function taking({ termsOf, visibleOf, clock }: TakenFrom) {
  const taken: Omit<Served, "follow"> = {
    dataset: ({ name }, context, taking) => take(name, context, taking).provenance,
    datasetIfAny: ({ name }, context, taking) => takeIfAny(name, context, taking)?.provenance,
    message(dataset, context) {
      const message = messageOf(take(dataset.name, context), dataset.message);
      if (!message) throw new NothingToServe(notLoaded(dataset.name));
      return message;
    },
    messageIfAny(dataset, context, taking) {
      const stored = takeIfAny(dataset.name, context, taking);
      return stored && messageOf(stored, dataset.message);
    },
    visible: ({ name }) => visibleOf(name),
    mayServe({ name }, readAt, context) {
      const terms = termsOf(name);
      if (!terms) throw new Error(`${name} is not among the served datasets`);
      const { rejection, ...dataStatus } = dataStatusAt(terms, { readAt, missing: [] }, clock());
      if (rejection === undefined) noteDataStatus(context, dataStatus);
      return rejection === undefined;
    },
  };
  return { ...taken, dataStatusOf };

  function dataStatusOf(name: string): DataStatus | undefined {
    const terms = termsOf(name);
    if (!terms) return undefined;
    return dataStatusWithInputs(terms, {
      datasetOf: termsOf,
      readingOf: (input) => visibleOf(input.name)?.reading,
      now: clock(),
    });
  }

  function take(name: string, context: HandlerContext, taking?: Taking): Stored {
    const stored = takeIfAny(name, context, taking);
    if (!stored) throw new NothingToServe(dataStatusOf(name)?.rejection ?? notLoaded(name));
    return stored;
  }

  function takeIfAny(name: string, context: HandlerContext, { flagged }: Taking = {}): Stored | undefined {
    const dataStatus = dataStatusOf(name);
    const stored = visibleOf(name);
    noteDataStatus(context, dataStatus ?? nothingOf(name));
    if (!dataStatus || !stored) return undefined;
    const isTaken =
      dataStatus.rejection === undefined ||
      flagged === "incomplete" ||
      (flagged === "old" && dataStatus.missing.length === 0);
    if (!isTaken) return undefined;
    noteGeneration(context, name, stored.provenance.generation);
    if (stored.provenance.origin === "sample") context.responseHeader.set("X-Data-Origin", "sample");
    return stored;
  }
}

/** How stands what was never loaded. */
function nothingOf(name: string): DataStatus {
  return { staleForMs: 0, freshForMs: 0, servableForMs: 0, missing: [], rejection: notLoaded(name) };
}

function messageOf<M extends DescMessage>({ message }: Stored, schema: M): MessageShape<M> | undefined {
  return isMessage(message, schema) ? message : undefined;
}

function notLoaded(name: string): string {
  return `${name} was never loaded`;
}
