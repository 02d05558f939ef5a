import { Counter, Gauge, type Registry } from "prom-client";

export type Point<Label extends string> = readonly [labels: Readonly<Record<Label, string>>, value: number];

/** A metric whose values are read for each scrape. If reading fails, the metric has no values. */
interface ReadMetric<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
  readonly read: () => Promise<readonly Point<Label>[]> | readonly Point<Label>[];
}

export function readGauge<Label extends string>(registry: Registry, metric: ReadMetric<Label>): void {
  const { name, help, labels: labelNames = [] } = metric;
  new Gauge({
    ...{ name, help, labelNames, registers: [registry] },
    async collect() {
      const points = await pointsOf(metric);
      this.reset();
      // The library would report 0 for a metric without labels, even if no value is known.
      if (points.length === 0 && labelNames.length === 0) this.remove();
      for (const [labels, value] of points) this.set(labels, value);
    },
  });
}

export function readCounter<Label extends string>(registry: Registry, metric: ReadMetric<Label>): void {
  const { name, help, labels: labelNames = [] } = metric;
  new Counter({
    ...{ name, help, labelNames, registers: [registry] },
    async collect() {
      const points = await pointsOf(metric);
      this.reset();
      for (const [labels, value] of points) this.inc(labels, value);
    },
  });
}

async function pointsOf<Label extends string>({ read }: ReadMetric<Label>): Promise<readonly Point<Label>[]> {
  try {
    return await read();
  } catch {
    return [];
  }
}
