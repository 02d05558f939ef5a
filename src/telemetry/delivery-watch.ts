import { type ExportResult, ExportResultCode } from "@opentelemetry/core";

interface Exporter<T> {
  export(items: T, settled: (result: ExportResult) => void): void;
}

/** Says once that nothing can be delivered, and once that it can again, for all exporters to one address. */
export function deliveryWatch(host: string, warn: (message: string) => void) {
  let isLost = false;
  const note = ({ code, error }: ExportResult) => {
    const wasLost = isLost;
    isLost = code !== ExportResultCode.SUCCESS;
    if (isLost === wasLost) return;
    warn(
      isLost
        ? `Traces and metrics cannot be delivered to ${host} and are lost until they can: ${error?.message ?? "no reason given"}`
        : `Traces and metrics are delivered to ${host} again`,
    );
  };
  return <T, E extends Exporter<T>>(exporter: E): E => {
    const deliver = exporter.export.bind(exporter);
    return Object.assign(exporter, {
      export: (items: T, settled: (result: ExportResult) => void) =>
        deliver(items, (result) => {
          note(result);
          settled(result);
        }),
    });
  };
}
