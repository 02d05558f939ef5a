import { type DescMessage, type MessageInitShape, type MessageShape, toJson } from "@bufbuild/protobuf";
import { Response } from "undici";
import { maskOf } from "../../../src/config/masking.ts";
import { datasets } from "../../../src/domains/index.ts";
import type { Dataset } from "../../../src/ingest/dataset.ts";
import { evaluate, type SourceResult } from "../../../src/ingest/refresh/evaluate.ts";
import { sendRequest } from "../../../src/ingest/refresh/fetch.ts";
import { lastResponses, recordOutcomes } from "../../../src/ingest/refresh/report.ts";
import type { Source } from "../../../src/ingest/source.ts";
import { createUpstreams, permissionOf } from "../../../src/ingest/upstreams.ts";
import type { Database } from "../../../src/store/database.ts";
import type { Transport } from "../../../src/upstream/network.ts";
import { sampleUpstream, sampleValue } from "../../../src/upstream/sample/sample.ts";
import type { UpstreamRequest } from "../../../src/upstream/upstream.ts";
import { testTime } from "../app.ts";

/** A request as the network sees it, with its sample answer. */
export interface Exchange {
  readonly url: string;
  readonly body: string;
  readonly text: string;
}

/** The network's response to a request. Undefined plays the sample. */
export type Network = (
  exchange: Exchange,
  call: { readonly count: number; readonly signal: AbortSignal },
) => Response | Promise<Response> | undefined;

/** The result of a source under a network, and the requests that it sent. */
export interface Played {
  readonly result: SourceResult<DescMessage>;
  readonly rows: readonly string[];
  readonly requested: readonly Exchange[];
  /** Addresses that no sample has. */
  readonly left: readonly string[];
}

const permissions = datasets.flatMap(({ sources }) => sources.flatMap((source) => permissionOf(source) ?? []));

/** Every source of every dataset that is asked over the network. */
export const places = datasets.flatMap((scheduled) => {
  // Schedules hide the type of a dataset's rows; here every row is a message like any other.
  const dataset = scheduled as unknown as Dataset;
  return dataset.sources.filter(({ own }) => !own).map((source) => ({ dataset, source }));
});

/** One source over the real client, its sample for the world. */
export function playedSource(
  dataset: Dataset,
  source: Source<MessageInitShape<DescMessage>>,
  database: Database["kysely"],
) {
  const played = new Map<string, Promise<string>>();
  const sample = sampleUpstream(source.name, () => testTime);
  const textOf = (request: UpstreamRequest) => {
    const key = JSON.stringify(request);
    const text = played.get(key) ?? sample.text(request);
    played.set(key, text);
    return text;
  };
  return async (network: Network, { retain = false, maxMs = 100_000 } = {}): Promise<Played> => {
    const requested: Exchange[] = [];
    const left: string[] = [];
    const transport: Transport = async (url, init) => {
      const body =
        typeof init.body === "string" ? init.body : init.body instanceof URLSearchParams ? String(init.body) : "";
      const posted = body.startsWith("{")
        ? { body: JSON.parse(body) }
        : body === ""
          ? {}
          : { form: Object.fromEntries(new URLSearchParams(body)) };
      const text = await textOf({ url, ...posted }).catch(() => undefined);
      if (text === undefined) {
        if (!new URL(url).protocol.startsWith("https")) left.push(url);
        return new Response(null, { status: 404 });
      }
      const exchange = { url, body, text };
      requested.push(exchange);
      if (requested.length > 3_000) throw new Error("asked without end");
      const response = network(exchange, { count: requested.length, signal: init.signal as AbortSignal });
      return (await response) ?? whole(text);
    };
    const environment: Record<string, string> = Object.fromEntries(permissions.map((name) => [name, "on"]));
    const upstreams = createUpstreams(
      {
        data: "live",
        variable: (name) =>
          environment[name] ??
          (name.endsWith("_FILE")
            ? "sample/arms-suppliers/deliveries.csv"
            : source.variables?.some((known) => known === name)
              ? sampleValue(name)
              : undefined),
        mask: maskOf({}),
      },
      () => testTime,
      () => 0,
      { transport, wait: async () => undefined, maxMs, floorOf: ({ rows }) => Math.min(rows.atLeast, 10) },
    );
    const parts = { database, upstreams };
    const response = await sendRequest(dataset, source, parts);
    const result = await evaluate(
      dataset,
      { ...response, requested: false },
      parts,
      lastResponses(database, response.place),
    );
    if (retain && result.note) await recordOutcomes(database, [result.note]);
    return { result, rows: rowsOf(dataset, result.good ?? []), requested, left };
  };
}

export function whole(text: string): Response {
  return new Response(text, {
    headers: { "content-type": text.trimStart().startsWith("<") ? "text/html" : "application/json" },
  });
}

function rowsOf(dataset: Dataset, rows: readonly MessageShape<DescMessage>[]): string[] {
  return rows.map((row) => JSON.stringify(toJson(dataset.row, row)));
}
