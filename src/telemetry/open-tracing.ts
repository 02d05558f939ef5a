import { readFileSync } from "node:fs";
import type { Config } from "../config/config.ts";
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
    if (!isMissing(error)) throw error;
    warn(
      `OTEL_EXPORTER_OTLP_ENDPOINT has no effect, because OpenTelemetry is not installed: npm install --no-save ${packages().join(" ")}`,
    );
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "ERR_MODULE_NOT_FOUND" &&
    error.message.includes("@opentelemetry/")
  );
}

/** The optional packages, in the versions that the program was tested with. */
function packages(): readonly string[] {
  const { peerDependencies } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return Object.entries(peerDependencies).map(([name, version]) => `${name}@${version}`);
}
