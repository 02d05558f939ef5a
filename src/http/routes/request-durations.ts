import type { Metric, MetricValueWithName } from "prom-client";

export type Observe = (operation: string, protocol: string, status: number, milliseconds: number) => void;

/** Upper bounds in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const name = "ids_request_duration_seconds";
const labelNames = ["operation", "protocol", "status"];
const help =
  "Duration of requests by operation, protocol and status class; gRPC failures have status 200, so their class is that of their cause.";

interface Series {
  readonly labels: { readonly operation: string; readonly protocol: string; readonly status: string };
  /** One count per bucket. The last is for everything above the bounds. */
  readonly counts: number[];
  sum: number;
}

/** Creates a histogram with plain arrays, because prom-client hashes the labels for every request. */
export function requestDurations(): { observe: Observe; metric: Metric } {
  const known = new Map<string, Series[]>();
  const seriesOf = (operation: string, protocol: string, status: number): Series => {
    const place = known.get(operation) ?? [];
    if (place.length === 0) known.set(operation, place);
    const index = Math.floor(status / 100) * 2 + (protocol === "rpc" ? 1 : 0);
    place[index] ??= {
      labels: { operation, protocol, status: `${Math.floor(status / 100)}xx` },
      counts: new Array<number>(bounds.length + 1).fill(0),
      sum: 0,
    };
    return place[index];
  };
  const observe: Observe = (operation, protocol, status, milliseconds) => {
    const series = seriesOf(operation, protocol, status);
    const seconds = milliseconds / 1000;
    let bucket = 0;
    while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += seconds;
  };
  const get = async () => ({
    name,
    help,
    type: "histogram",
    aggregator: "sum",
    values: [...known.values()].flatMap((place) => place.filter((series) => series !== undefined).flatMap(valuesOf)),
  });
  return { observe, metric: { name, help, labelNames, get, reset: () => known.clear() } as unknown as Metric };
}

/** Returns cumulative buckets, sum, and count, as the exposition format requires. */
function valuesOf({ labels, counts, sum }: Series): MetricValueWithName<string>[] {
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[index] ?? "+Inf" }, value: total };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ];
}
