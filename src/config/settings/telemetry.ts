import { z } from "zod";
import type { SettingTable } from "../setting.ts";
import { baseUrl } from "../text-types.ts";

const share = z.string().transform(Number).pipe(z.number().min(0).max(1)).describe("a number from 0 to 1");

export const telemetry = {
  openTelemetry: {
    endpoint: {
      name: "OTEL_EXPORTER_OTLP_ENDPOINT",
      type: baseUrl,
      meaning:
        "Collector that receives traces and metrics by OTLP over HTTP, such as `http://collector:4318`. Needs the OpenTelemetry packages, which read further [variables](operating.md#opentelemetry). If not set, nothing is recorded.",
      secret: "password",
    },
    ratio: {
      name: "OTEL_TRACES_SAMPLER_ARG",
      type: share,
      default: "0.01",
      meaning:
        "Share of the requests that are recorded. Jobs are always recorded, and so are requests that the caller records.",
    },
  },
} as const satisfies SettingTable;
