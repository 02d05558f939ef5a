import { z } from "zod";
import type { SettingTable } from "../setting.ts";
import { anyText, baseUrl, oneOf } from "../text-types.ts";

const pairs = z
  .string()
  .regex(/^[^=,]+=[\x20-\x2b\x2d-\x7e]*(,[^=,]+=[\x20-\x2b\x2d-\x7e]*)*$/)
  .describe("one or more `name=value`, separated by commas");

const milliseconds = z
  .string()
  .regex(/^[1-9]\d{2,8}$/)
  .transform(Number)
  .describe("a number of milliseconds from 100");

const share = z.string().transform(Number).pipe(z.number().min(0).max(1)).describe("a number from 0 to 1");

export const telemetry = {
  /** Traces and metrics for a collector. */
  openTelemetry: {
    endpoint: {
      name: "OTEL_EXPORTER_OTLP_ENDPOINT",
      type: baseUrl,
      meaning:
        "Collector that gets traces and metrics by OTLP over HTTP, such as `http://collector:4318`. Needs the OpenTelemetry packages. If not set, nothing is recorded.",
      secret: "password",
    },
    headers: {
      name: "OTEL_EXPORTER_OTLP_HEADERS",
      type: pairs,
      meaning: "Headers for the collector.",
      secret: "value",
    },
    disabled: {
      name: "OTEL_SDK_DISABLED",
      type: oneOf("true", "false")
        .transform((text) => text === "true")
        .describe("true or false"),
      default: "false",
      meaning: "`true` records nothing, whatever else is set.",
    },
    serviceName: {
      name: "OTEL_SERVICE_NAME",
      type: anyText,
      meaning:
        "Name under which traces and metrics appear. If not set, the `service.name` of `OTEL_RESOURCE_ATTRIBUTES`, otherwise `intelligence-data-service`.",
    },
    resource: {
      name: "OTEL_RESOURCE_ATTRIBUTES",
      type: pairs,
      meaning: "Further facts about this process.",
    },
    sampler: {
      name: "OTEL_TRACES_SAMPLER",
      type: oneOf(
        "always_on",
        "always_off",
        "traceidratio",
        "parentbased_always_on",
        "parentbased_always_off",
        "parentbased_traceidratio",
      ),
      meaning:
        "Which traces are recorded. If not set, every job, every request whose caller records it, and 1 of 100 other requests.",
    },
    ratio: {
      name: "OTEL_TRACES_SAMPLER_ARG",
      type: share,
      default: "1",
      meaning: "Share of the traces that the samplers with `traceidratio` record.",
    },
    spanDelayMs: {
      name: "OTEL_BSP_SCHEDULE_DELAY",
      type: milliseconds,
      default: "5000",
      meaning: "Milliseconds between two deliveries of traces.",
    },
    metricIntervalMs: {
      name: "OTEL_METRIC_EXPORT_INTERVAL",
      type: milliseconds,
      default: "60000",
      meaning: "Milliseconds between two deliveries of the metrics.",
    },
  },
} as const satisfies SettingTable;
