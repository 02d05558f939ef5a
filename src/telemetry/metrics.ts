import { type HrTime, ValueType } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type PushMetricExporter,
  type ResourceMetrics,
} from "@opentelemetry/sdk-metrics";
import type { MetricObjectWithValues, MetricValue, Registry } from "prom-client";

type Family = MetricObjectWithValues<MetricValue<string>>;

/** Converts the metrics of `/metrics` to OpenTelemetry. Their names stay the same. */
export async function collectMetrics(registry: Registry, resource: Resource): Promise<CollectionResult> {
  const families = await registry.getMetricsAsJSON();
  const times = { startTime: hrTime(performance.timeOrigin), endTime: hrTime(Date.now()) };
  const metrics = families.map((family): MetricData => metricOf(family, times));
  return {
    resourceMetrics: { resource, scopeMetrics: [{ scope: { name: "ids" }, metrics }] },
    errors: [],
  };
}

/** Exports metrics periodically. The returned function starts a last export but does not wait for it. */
export function deliverMetrics(
  collect: () => Promise<ResourceMetrics>,
  exporter: PushMetricExporter,
  intervalMs: number,
): () => Promise<void> {
  let isUnderWay = false;
  const deliver = async () => {
    isUnderWay = true;
    const settled = () => {
      isUnderWay = false;
    };
    await collect()
      .then((metrics) => exporter.export(metrics, settled))
      .catch(settled);
  };
  const timer = setInterval(() => void (isUnderWay || deliver()), intervalMs).unref();
  return () => {
    clearInterval(timer);
    return deliver();
  };
}

type Times = Pick<DataPoint<number>, "startTime" | "endTime">;

function metricOf(family: Family, times: Times): MetricData {
  const shared = {
    descriptor: { name: family.name, description: family.help, unit: "", valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const numbers = () => family.values.map(({ labels, value }) => ({ ...times, attributes: { ...labels }, value }));
  // The library declares the types of metrics as numbers, but they are names.
  switch (String(family.type)) {
    case "histogram":
      return { ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(family, times) };
    case "counter":
      return { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: numbers() };
    default:
      return { ...shared, dataPointType: DataPointType.GAUGE, dataPoints: numbers() };
  }
}

/** Converts histograms. Buckets of Prometheus are cumulative, but those of OpenTelemetry are not. */
function histograms({ values }: Family, times: Times): DataPoint<Histogram>[] {
  const ofSeries = Object.groupBy(values, ({ labels: { le: _le, ...labels } }) => JSON.stringify(labels));
  return Object.entries(ofSeries).map(([labels, series = []]) => {
    const cumulative = ending(series, "_bucket").map(({ value }) => value);
    const boundaries = ending(series, "_bucket").flatMap(({ labels: { le } }) => (le === "+Inf" ? [] : Number(le)));
    return {
      ...times,
      attributes: JSON.parse(labels),
      value: {
        buckets: { boundaries, counts: cumulative.map((total, place) => total - (cumulative[place - 1] ?? 0)) },
        sum: ending(series, "_sum")[0]?.value ?? 0,
        count: ending(series, "_count")[0]?.value ?? 0,
      },
    };
  });
}

function ending(series: readonly MetricValue<string>[], end: string): MetricValue<string>[] {
  return series.filter((each) => "metricName" in each && String(each.metricName).endsWith(end));
}

function hrTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1_000);
  return [seconds, Math.round((milliseconds - seconds * 1_000) * 1e6)];
}
