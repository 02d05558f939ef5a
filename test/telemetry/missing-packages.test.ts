import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What opening says in an installation without the optional packages, with these settings. */
async function openedWithout(settings: object): Promise<unknown> {
  const place = mkdtempSync(join(tmpdir(), "ids-bare-"));
  try {
    for (const part of ["package.json", "src/telemetry", "src/reference/optional-packages.ts"])
      cpSync(join(root, part), join(place, part), { recursive: true });
    mkdirSync(join(place, "node_modules"));
    const program = `
      const { openTracing } = await import(${JSON.stringify(join(place, "src/telemetry/open-tracing.ts"))});
      const warnings = [];
      const tracing = await openTracing({ openTelemetry: ${JSON.stringify(settings)} }, (message) => warnings.push(message));
      console.log(JSON.stringify({ recorded: tracing !== undefined, warnings }));`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
    return JSON.parse(stdout);
  } finally {
    rmSync(place, { recursive: true });
  }
}

test("without the OpenTelemetry packages the service starts and says what to install", async () => {
  expect(await openedWithout({ endpoint: "http://127.0.0.1:4318" })).toEqual({
    recorded: false,
    warnings: [
      expect.stringMatching(
        /^OTEL_EXPORTER_OTLP_ENDPOINT has no effect, .*: npm install @opentelemetry\/api@\d+\.\d+\.\d+ .*@opentelemetry\/sdk-trace@/,
      ),
    ],
  });
});

test("the service loads none of them without a collector", async () => {
  expect(await openedWithout({})).toEqual({ recorded: false, warnings: [] });
});
