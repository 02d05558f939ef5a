import type { Config } from "../config/config.ts";
import { installCommand, isMissingPackage } from "../reference/optional-packages.ts";
import type { Tracing } from "./tracing.ts";

/** Undefined where it is not configured; also, with a warning, where the packages that it needs are not installed. */
export async function openTracing(
  { openTelemetry }: Pick<Config, "openTelemetry">,
  warn: (message: string) => void,
): Promise<Tracing | undefined> {
  const { endpoint, disabled } = openTelemetry;
  if (endpoint === undefined || disabled) return undefined;
  try {
    const { startOpenTelemetry } = await import("./opentelemetry.ts");
    return startOpenTelemetry({ ...openTelemetry, endpoint }, warn);
  } catch (error) {
    if (!isMissingPackage(error, "@opentelemetry/")) throw error;
    warn(
      `OTEL_EXPORTER_OTLP_ENDPOINT has no effect, because OpenTelemetry is not installed: ${installCommand("@opentelemetry/")}`,
    );
    return undefined;
  }
}
