import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  InfrastructureService,
  type InternetOutageSchema,
} from "../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { maskOf } from "../../src/config/masking.ts";
import { refresh } from "../../src/ingest/refresh/refresh.ts";
import type { Source } from "../../src/ingest/source.ts";
import { createUpstreams } from "../../src/ingest/upstreams.ts";
import type { Database } from "../../src/store/database.ts";
import { type InventedSource, inventedDataset, inventedSource } from "../ingest/invented-dataset.ts";
import { type TestApp, testTime } from "../support/app.ts";

/** A change as it is listed. */
export interface ListedChange {
  readonly position: number;
  readonly at: number;
  readonly dataset: string;
  readonly kind: string;
  readonly rows: string;
  readonly subject: string;
  readonly country: string;
  readonly before?: Record<string, unknown>;
  readonly after?: Record<string, unknown>;
}

export interface ChangePage {
  readonly changes: readonly ListedChange[];
  readonly nextPosition: number;
  readonly more: boolean;
}

export const listPath = "/api/changes/v1/list-changes";
export const watchPath = "/api/changes/v1/watch-changes";

export function changesOf(app: TestApp, query = ""): Promise<ChangePage> {
  return app.json<ChangePage>(`${listPath}?limit=1000&${query}`);
}

/** A source that answers what a test says, of any dataset. */
export function sourceOf<Row>(name: string, metadata: Partial<Source<Row>> = {}) {
  const source = {
    name,
    license: { kind: "open" as const, publisher: "invented", terms: "invented" },
    variables: [],
    own: true as const,
    rows: { atLeast: 0, mayBeEmpty: true },
    answer: [] as readonly Row[],
    fetch: async (): Promise<readonly Row[]> => source.answer,
    parse: (response: unknown) => ({ rows: response as readonly Row[], rejected: [], complete: true }),
    observedAt: () => testTime.getTime(),
    ...metadata,
  };
  return source;
}

/** Upstreams of a live refresh. */
export function liveUpstreams(now: () => Date = () => testTime) {
  return createUpstreams({ data: "live", variable: () => "on", mask: maskOf({}) }, now, () => 0);
}

export type Outage = MessageInitShape<typeof InternetOutageSchema>;

export function outage(id: string, metadata: Partial<Outage> = {}): Outage {
  return {
    id,
    title: `Outage ${id}`,
    country: "UA",
    severity: 1,
    detectedAt: 1_795_000_000_000n,
    ...(metadata as object),
  };
}

interface OutageBed {
  readonly source: InventedSource;
  /** One refresh of the outages that are there now. */
  readonly refresh: (outages: readonly Outage[], options?: { readonly origin?: "live" | "sample" }) => Promise<void>;
}

/** The dataset `internet-outages`, whose source answers what a test says. */
export function outageBed(
  database: Database,
  metadata: Parameters<typeof inventedSource>[1] = {},
  now: () => Date = () => testTime,
): OutageBed {
  const source = inventedSource("outages", { rows: { atLeast: 0, mayBeEmpty: true }, ...metadata });
  const dataset = {
    ...inventedDataset([source], { name: "internet-outages" }),
    serves: [InfrastructureService.method.listInternetOutages],
  };
  return {
    source,
    async refresh(outages, { origin = "live" } = {}) {
      source.answer = outages;
      const upstreams = liveUpstreams(now);
      const { sources, generation } = await refresh(dataset, {
        database: database.kysely,
        upstreams: { ...upstreams, origin },
      });
      if (generation === undefined) throw new Error(`Nothing was stored: ${JSON.stringify(sources)}`);
    },
  };
}
