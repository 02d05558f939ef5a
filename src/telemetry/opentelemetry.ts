import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import { ClientRequest } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { type ExportResult, ExportResultCode, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from "@opentelemetry/resources";
import { AlwaysOnSampler, BatchSpanProcessor, ParentBasedSampler, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Config } from "../config/config.ts";
import { programVersion } from "../reference/program-version.ts";
import { collectMetrics, deliverMetrics } from "./metrics.ts";
import type { Attributes, Note, Step, Tracing } from "./tracing.ts";

type Settings = Config["openTelemetry"] & { readonly endpoint: string };

export interface ExportTimes {
  readonly spansMs: number;
  readonly metricsMs: number;
}

const defaultTimes: ExportTimes = { spansMs: 5_000, metricsMs: 60_000 };

/** Maximum time for exports at shutdown, however many remain. */
const closeWithinMs = 2_000;
const silent: Note = () => undefined;

/** Starts tracing with OpenTelemetry. It sets no global state, and only this folder imports the library. */
export function startOpenTelemetry(
  { endpoint, ratio }: Settings,
  warn: (message: string) => void,
  times: Partial<ExportTimes> = {},
): Tracing {
  const { spansMs, metricsMs } = { ...defaultTimes, ...times };
  const resource = ownResource();
  const deliveries = deliveriesTo(new URL(endpoint).host, warn);
  const exporter = deliveries.watched(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }));
  const provider = new TracerProvider({
    resource,
    // All spans that begin a trace are recorded, because `request` decides before which requests are sampled.
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: spansMs })],
  });
  const tracer = provider.getTracer("ids", programVersion());
  const w3c = new W3CTraceContextPropagator();
  /** Trace context of the current step; undefined if it is not recorded. */
  const active = new AsyncLocalStorage<Context>();
  let closed: Promise<void> | undefined;

  const begin = ({ name, attributes, isCall }: Step, inside: SpanKind, parent: Context) => {
    const kind = isCall ? SpanKind.CLIENT : inside;
    const span = tracer.startSpan(name, { kind, ...(attributes && { attributes }) }, parent);
    return span.isRecording() ? { span, context: trace.setSpan(parent, span) } : undefined;
  };
  const record = async <T>(span: Span, context: Context, work: (note: Note) => Promise<T>): Promise<T> => {
    try {
      return await active.run(context, work, (attributes: Attributes) => void span.setAttributes(attributes));
    } catch (error) {
      failed(span, error);
      throw error;
    } finally {
      span.end();
    }
  };

  return {
    request(step, traceparent) {
      const parent =
        traceparent === undefined ? ROOT_CONTEXT : w3c.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
      // Most requests are not sampled and end here, because creating a span takes up to a tenth of a request.
      if (!trace.getSpanContext(parent) && Math.random() >= ratio) return undefined;
      const begun = begin(step(), SpanKind.SERVER, parent);
      return (
        begun && {
          run: (serve) => active.run(begun.context, serve),
          ended(status) {
            begun.span.setAttribute("http.response.status_code", status);
            if (status >= 500) begun.span.setStatus({ code: SpanStatusCode.ERROR });
            begun.span.end();
          },
        }
      );
    },
    job(step, work) {
      const begun = begin(step(), SpanKind.CONSUMER, ROOT_CONTEXT);
      return begun ? record(begun.span, begun.context, work) : work();
    },
    step(step, work) {
      const parent = active.getStore();
      const begun = parent && begin(step(), SpanKind.INTERNAL, parent);
      return begun ? record(begun.span, begun.context, work) : work(silent);
    },
    headers() {
      const carrier = {};
      const context = active.getStore();
      if (context) w3c.inject(context, carrier, defaultTextMapSetter);
      return carrier;
    },
    exportMetrics(registry) {
      const exporter = deliveries.watched(new OTLPMetricExporter({ url: `${endpoint}/v1/metrics` }));
      const collect = async () => (await collectMetrics(registry, resource)).resourceMetrics;
      const ending = deliverMetrics(collect, exporter, metricsMs);
      return { [Symbol.asyncDispose]: () => Promise.race([ending(), delay(closeWithinMs, undefined, { ref: false })]) };
    },
    close: () => (closed ??= deliveries.end(provider.shutdown(), closeWithinMs)),
  };
}

/** Returns the attributes of this service. The operator's environment variables override them. */
function ownResource(): Resource {
  const own = { "service.name": "intelligence-data-service", "service.version": programVersion() };
  return defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }));
}

/** Records a failure by the type of its error, because the message may contain private data. */
function failed(span: Span, error: unknown): void {
  span.setAttribute("error.type", error instanceof Error ? error.name : typeof error);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

interface Exporter<T> {
  export(items: T, settled: (result: ExportResult) => void): void;
}

/** Tracks exports to a host. Logs one warning when they fail, and one when they succeed again. */
function deliveriesTo(host: string, warn: (message: string) => void) {
  let isLost = false;
  let isEnding = false;
  let isOver = false;
  const note = ({ code, error }: ExportResult) => {
    const wasLost = isLost;
    isLost = code !== ExportResultCode.SUCCESS;
    if (isLost === wasLost || isOver) return;
    warn(
      isLost
        ? `Traces and metrics cannot be delivered to ${host} and are lost until they can: ${error?.message ?? "no reason given"}`
        : `Traces and metrics are delivered to ${host} again`,
    );
  };
  const late = new Error("the export timed out");
  /** Running exports, each with a function that stops waiting for it. */
  const underWay = new Map<Promise<ExportResult>, (result: ExportResult) => void>();
  // HTTP requests of exports, which a diagnostics channel reports, because exporters do not expose them. None of these
  // requests may keep the process alive.
  const delivering = new AsyncLocalStorage<{ attempts: number }>();
  const requests = new Set<ClientRequest>();
  subscribe("http.client.request.created", (message) => {
    const delivery = delivering.getStore();
    const request = message instanceof Object && "request" in message && message.request;
    if (!delivery || !(request instanceof ClientRequest)) return;
    requests.add(request);
    request.once("close", () => requests.delete(request));
    delivery.attempts += 1;
    // Exporters retry after most errors but not after `late`, so that no retry delays the shutdown.
    if (isOver || (isEnding && delivery.attempts > 1)) request.destroy(late);
  });
  return {
    watched<T, E extends Exporter<T>>(exporter: E): E {
      const deliver = exporter.export.bind(exporter);
      return Object.assign(exporter, {
        export(items: T, settled: (result: ExportResult) => void) {
          const { promise, resolve } = Promise.withResolvers<ExportResult>();
          underWay.set(promise, resolve);
          void promise.then((result) => {
            underWay.delete(promise);
            settled(result);
          });
          delivering.run({ attempts: 0 }, () =>
            deliver(items, (result) => {
              note(result);
              resolve(result);
            }),
          );
        },
      });
    },
    /** Waits for running exports up to a timeout, then aborts them. */
    async end(flushed: Promise<unknown>, withinMs: number): Promise<void> {
      isEnding = true;
      const all = Promise.allSettled([flushed, ...underWay.keys()]);
      await Promise.race([all, delay(withinMs, undefined, { ref: false })]);
      isOver = true;
      for (const resolve of underWay.values()) resolve({ code: ExportResultCode.FAILED, error: late });
      for (const request of requests) request.destroy(late);
    },
  };
}
