import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import protobuf from "protobufjs";

/** The parts of OpenTelemetry's collector messages that the tests read. */
const messages = protobuf.parse(`
  syntax = "proto3";
  message Traces { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    bytes parent_span_id = 4;
    string name = 5;
    int32 kind = 6;
    repeated KeyValue attributes = 9;
    Status status = 15;
  }
  message Status { int32 code = 3; }
  message Metrics { repeated ResourceMetrics resource_metrics = 1; }
  message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; }
  message ScopeMetrics { repeated Metric metrics = 2; }
  message Metric { string name = 1; Numbers gauge = 5; Numbers sum = 7; Histograms histogram = 9; }
  message Numbers { repeated Number data_points = 1; }
  message Number { double as_double = 4; repeated KeyValue attributes = 7; }
  message Histograms { repeated Histogram data_points = 1; }
  message Histogram {
    fixed64 count = 4;
    double sum = 5;
    repeated fixed64 bucket_counts = 6;
    repeated double explicit_bounds = 7;
    repeated KeyValue attributes = 9;
  }
  message Resource { repeated KeyValue attributes = 1; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; }
  }
`).root;

type Metadata = Readonly<Record<string, string | number | boolean>>;

export interface CollectedSpan {
  readonly trace: string;
  readonly id: string;
  /** Empty at the root of a trace. */
  readonly parent: string;
  readonly name: string;
  readonly attributes: Metadata;
  readonly failed: boolean;
}

export interface CollectedMetric {
  readonly name: string;
  readonly points: readonly {
    readonly labels: Metadata;
    readonly value?: number;
    readonly count?: number;
    readonly sum?: number;
    readonly counts?: readonly number[];
    readonly bounds?: readonly number[];
  }[];
}

/** A collector on loopback that takes OTLP over HTTP. */
export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** As last delivered. */
  readonly metrics: readonly CollectedMetric[];
  /** The resource of traces and metrics. */
  readonly resource: Metadata;
  readonly requests: readonly {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly bytes: Buffer;
  }[];
  /** From now on; `hangs` never answers. */
  behave: (status: number | "hangs") => void;
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const requests: Collector["requests"][number][] = [];
  let metrics: CollectedMetric[] = [];
  let resource: Metadata = {};
  let behavior: number | "hangs" = 200;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const bytes = Buffer.concat(parts);
    const path = request.url ?? "";
    requests.push({ path, headers: request.headers, bytes });
    if (behavior === "hangs") return;
    if (behavior === 200 && path === "/v1/traces") {
      const { resourceSpans } = decoded("Traces", bytes);
      resource = metadataOf(resourceSpans[0].resource.attributes);
      spans.push(...resourceSpans.flatMap(({ scopeSpans }: Json) => scopeSpans.flatMap(spansOf)));
    }
    if (behavior === 200 && path === "/v1/metrics") {
      const [{ scopeMetrics }] = decoded("Metrics", bytes).resourceMetrics;
      metrics = scopeMetrics.flatMap(({ metrics: of }: Json) => of.map(metricOf));
    }
    response.writeHead(behavior, { "content-type": "application/x-protobuf" }).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    get metrics() {
      return metrics;
    },
    get resource() {
      return resource;
    },
    behave(next) {
      behavior = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: What a schema of text describes has no type.
type Json = any;

function decoded(message: string, bytes: Buffer): Json {
  const type = messages.lookupType(message);
  return type.toObject(type.decode(bytes), { arrays: true, longs: Number, bytes: Buffer });
}

function spansOf({ spans }: Json): CollectedSpan[] {
  return spans.map((span: Json) => ({
    trace: Buffer.from(span.traceId ?? []).toString("hex"),
    id: Buffer.from(span.spanId ?? []).toString("hex"),
    parent: Buffer.from(span.parentSpanId ?? []).toString("hex"),
    name: span.name,
    attributes: metadataOf(span.attributes),
    failed: span.status?.code === 2,
  }));
}

function metricOf({ name, gauge, sum, histogram }: Json): CollectedMetric {
  const numbers = (gauge ?? sum)?.dataPoints.map(({ attributes, asDouble = 0 }: Json) => ({
    labels: metadataOf(attributes),
    value: asDouble,
  }));
  const histograms = histogram?.dataPoints.map((point: Json) => ({
    labels: metadataOf(point.attributes),
    ...{ count: point.count, sum: point.sum, counts: point.bucketCounts, bounds: point.explicitBounds },
  }));
  return { name, points: numbers ?? histograms ?? [] };
}

function metadataOf(attributes: Json): Metadata {
  return Object.fromEntries(attributes.map(({ key, value }: Json) => [key, Object.values(value)[0]]));
}
