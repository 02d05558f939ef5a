import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Attributes as ApiAttributes,
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
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
import { programVersion } from "../runtime/program-version.ts";
import { deliveriesTo } from "./deliveries.ts";
import { collectMetrics, deliverMetrics } from "./metrics.ts";
import type { Attributes, Note, Step, Tracing } from "./tracing.ts";

type Settings = Config["openTelemetry"] & { readonly endpoint: string };

/** Times between two deliveries. */
export interface ExportTimes {
  readonly spansMs: number;
  readonly metricsMs: number;
}

const defaultTimes: ExportTimes = { spansMs: 5_000, metricsMs: 60_000 };

/** An end waits no longer for what receives traces and metrics, however many deliveries are left. */
const closeWithinMs = 2_000;
const silent: Note = () => undefined;

/** Records with OpenTelemetry's own libraries, which nothing outside this folder imports. Nothing global is set: what is recorded is recorded here. */
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
    // What begins here was chosen before it is asked.
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: spansMs })],
  });
  const tracer = provider.getTracer("ids", programVersion());
  const w3c = new W3CTraceContextPropagator();
  /** What is recorded now; there is none where nothing is. */
  const active = new AsyncLocalStorage<Context>();
  let closed: Promise<void> | undefined;

  const begin = ({ name, attributes, isCall }: Step, inside: SpanKind, parent: Context) => {
    const kind = isCall ? SpanKind.CLIENT : inside;
    const span = tracer.startSpan(name, { kind, attributes: attributes as ApiAttributes }, parent);
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
      // Most end here: a span that is not recorded costs as much as a tenth of a request.
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

/** What the operator names goes before what is known. */
function ownResource(): Resource {
  const own = { "service.name": "intelligence-data-service", "service.version": programVersion() };
  return defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }));
}

/** The words of an error may hold what nobody else may read. */
function failed(span: Span, error: unknown): void {
  span.setAttribute("error.type", error instanceof Error ? error.name : typeof error);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
