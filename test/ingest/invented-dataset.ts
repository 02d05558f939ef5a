import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  InternetOutageSchema,
  ListInternetOutagesResponseSchema,
} from "../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { type SnapshotDataset, snapshot } from "../../src/ingest/snapshot.ts";
import type { License, Source } from "../../src/ingest/source.ts";

type Row = MessageInitShape<typeof InternetOutageSchema>;

/** A source with the response that the test has set. */
export type InventedSource = Source<Row> & {
  /** The response to the next requests: rows, a failure, or a promise. */
  answer: readonly Row[] | Error | (() => Promise<readonly Row[]>);
};

/** A dataset of outages with its sources' rows in their order. */
export type InventedDataset = SnapshotDataset<typeof InternetOutageSchema, typeof ListInternetOutagesResponseSchema>;

/** A source may require any variables. Its metadata is invented as well. */
type InventedMetadata = Omit<Partial<Source<Row>>, "variables" | "license" | "access"> & {
  readonly variables?: readonly string[];
  readonly license?: License;
};

const access = {
  signUp: "https://source.example/keys",
  cost: "free",
  quota: "none",
  terms: "https://source.example/terms",
  rejection: "The key is wrong.",
};

export function inventedSource(name: string, metadata: InventedMetadata = {}): InventedSource {
  const source: InventedSource = {
    name,
    license: { kind: "open", publisher: "invented", terms: "invented" },
    variables: [],
    access,
    rows: { atLeast: 1, mayBeEmpty: false },
    answer: [],
    async fetch() {
      if (source.answer instanceof Error) throw source.answer;
      return typeof source.answer === "function" ? source.answer() : source.answer;
    },
    parse: (response) => ({ rows: response as readonly Row[], rejected: [] }),
    observedAt: ({ detectedAt = 0n }) => Number(detectedAt),
    ...metadata,
  };
  return source;
}

export function inventedDataset(
  sources: readonly Source<Row>[],
  metadata: Partial<Pick<InventedDataset, "name" | "schedule" | "freshForMinutes" | "write">> = {},
): InventedDataset {
  return {
    ...snapshot({
      name: "invented",
      subject: "What the test invents.",
      row: InternetOutageSchema,
      message: ListInternetOutagesResponseSchema,
      schedule: "0 0 1 1 *",
      freshForMinutes: 60,
      serves: [],
      sources,
      combine: ({ bySource }) => ({ outages: [...bySource.values()].flat() }),
      count: ({ outages }) => outages.length,
    }),
    ...metadata,
  };
}

/** Rows `name-first`, `name-first+1` and so on, each detected at the millisecond of its number. */
export function inventedRows(name: string, count: number, first = 1): Row[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `${name}-${first + index}`,
    country: "CH",
    detectedAt: BigInt(first + index),
  }));
}
