import { type DescMessage, isMessage, type MessageShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { DataStatus } from "../../contract/data-status.ts";
import { markSample, noteDataStatus, noteGeneration } from "../../contract/request-context.ts";
import { NothingToServe } from "../../errors.ts";
import { type AgeTerms, dataStatusAt, dataStatusWithInputs } from "./dataset-age.ts";
import type { AgeTolerance, Served } from "./served.ts";
import type { Stored } from "./stored-dataset.ts";

export interface DatasetReaderParts {
  readonly termsOf: (name: string) => AgeTerms | undefined;
  readonly visibleOf: (name: string) => Stored | undefined;
  readonly clock: () => Date;
}

export function datasetReader({ termsOf, visibleOf, clock }: DatasetReaderParts) {
  const reader: Omit<Served, "follow"> = {
    dataset: ({ name }, context, tolerance) => read(name, context, tolerance).provenance,
    datasetIfAny: ({ name }, context, tolerance) => readIfAny(name, context, tolerance)?.provenance,
    message(dataset, context) {
      const message = messageOf(read(dataset.name, context), dataset.message);
      if (!message) throw new NothingToServe(notLoaded(dataset.name));
      return message;
    },
    messageIfAny(dataset, context, tolerance) {
      const stored = readIfAny(dataset.name, context, tolerance);
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
  return { ...reader, dataStatusOf };

  function dataStatusOf(name: string): DataStatus | undefined {
    const terms = termsOf(name);
    if (!terms) return undefined;
    return dataStatusWithInputs(terms, {
      datasetOf: termsOf,
      readingOf: (input) => visibleOf(input.name)?.reading,
      now: clock(),
    });
  }

  function read(name: string, context: HandlerContext, tolerance?: AgeTolerance): Stored {
    const stored = readIfAny(name, context, tolerance);
    if (!stored) throw new NothingToServe(dataStatusOf(name)?.rejection ?? notLoaded(name));
    return stored;
  }

  function readIfAny(name: string, context: HandlerContext, { flagged }: AgeTolerance = {}): Stored | undefined {
    const dataStatus = dataStatusOf(name);
    const stored = visibleOf(name);
    noteDataStatus(context, dataStatus ?? nothingOf(name));
    if (!dataStatus || !stored) return undefined;
    const isAccepted =
      dataStatus.rejection === undefined ||
      flagged === "incomplete" ||
      (flagged === "old" && dataStatus.missing.length === 0);
    if (!isAccepted) return undefined;
    noteGeneration(context, name, stored.provenance.generation);
    if (stored.provenance.origin === "sample") markSample(context);
    return stored;
  }
}

function nothingOf(name: string): DataStatus {
  return { staleForMs: 0, freshForMs: 0, servableForMs: 0, missing: [], rejection: notLoaded(name) };
}

function messageOf<M extends DescMessage>({ message }: Stored, schema: M): MessageShape<M> | undefined {
  return isMessage(message, schema) ? message : undefined;
}

function notLoaded(name: string): string {
  return `${name} was never loaded`;
}
