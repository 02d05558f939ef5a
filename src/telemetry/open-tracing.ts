import type { Config } from "../config/config.ts";
import { installCommand, isMissingPackage } from "../reference/optional-packages.ts";
import type { ExportTimes } from "./opentelemetry.ts";
import type { Tracing } from "./tracing.ts";

/** Opens tracing; undefined if it is not configured. If its optional packages are missing, logs a warning. */
export async function openTracing(
  { openTelemetry }: Pick<Config, "openTelemetry">,
  warn: (message: string) => void,
  times?: Partial<ExportTimes>,
): Promise<Tracing | undefined> {
  const { endpoint } = openTelemetry;
  if (endpoint === undefined) return undefined;
  try {
    const { startOpenTelemetry } = await import("./opentelemetry.ts");
    return startOpenTelemetry({ ...openTelemetry, endpoint }, warn, times);
  } catch (error) {
    if (!isMissingPackage(error, "@opentelemetry/")) throw error;
    warn(
      `OTEL_EXPORTER_OTLP_ENDPOINT has no effect, because OpenTelemetry is not installed: ${installCommand("@opentelemetry/")}`,
    );
    return undefined;
  }
}
