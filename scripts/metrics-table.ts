import { createTelemetry } from "../src/http/routes/telemetry.ts";
import { markdownTable } from "./markdown-table.ts";

/** Returns every metric of this program. The metrics of the process, which prom-client adds, are not included. */
export async function metricsTable(): Promise<readonly string[]> {
  const unread = () => Promise.reject(new Error("There is no store"));
  const { registry } = createTelemetry({
    readings: {
      ...{ datasets: unread, budgets: unread, jobs: unread, webhooks: unread, unevaluated: unread, backup: unread },
      replica: undefined,
    },
    queueCounts: () => ({ running: 0, waiting: 0, shed: { keyed: 0, keyless: 0 }, abandoned: 0 }),
    freeBytes: async () => undefined,
    version: "",
  });
  const described = await registry.getMetricsAsJSON();
  const labels = new Map(registry.getMetricsAsArray().map((metric) => [metric.name, labelsOf(metric)]));
  return markdownTable(
    ["Metric", "Kind", "Labels", "What"],
    described
      .filter(({ name }) => name.startsWith("ids_"))
      .map(({ name, type, help }) => [`\`${name}\``, String(type), labels.get(name) ?? "", help]),
  );
}

function labelsOf(metric: object): string {
  if (!("labelNames" in metric) || !Array.isArray(metric.labelNames)) return "";
  return metric.labelNames.map((name) => `\`${name}\``).join(", ");
}
