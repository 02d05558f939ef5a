import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { openEmbedded } from "../../http/embedded-database.ts";
import { startApp } from "../../support/app.ts";
import { type Dashboard, readDashboard, readQueries, readRules } from "../../support/deploy/dashboard.ts";
import { debianProgram, npmFolder, printed } from "../../support/deploy/programs.ts";
import { freePort } from "../../support/processes/serve-process.ts";
import { root } from "../../support/servers/go.ts";

const promtool = debianProgram("promtool", "prometheus");
const prometheus = debianProgram("prometheus", "prometheus");
const rules = join(root, "deploy/prometheus/ids.rules.yaml");

test.skipIf(promtool === undefined)(
  "the rules are sound, each alert fires on what it is for, and none on a sound service",
  () => {
    printed(promtool ?? "", ["check", "rules", rules]);
    printed(promtool ?? "", ["test", "rules", rules.replace(".yaml", ".test.yaml")]);
  },
);

/**
 * Metrics without samples while there are no failures, waits, upstream requests, payments, queue workers, or replica
 * reads.
 */
const ofFaults =
  /status="5xx"|lookups|billing|malformed|failures|ratio|drift|ids_jobs_|replica|ids_webhook_(?:lag|failed)/;

interface QueryResponse {
  readonly status: string;
  readonly error?: string;
  readonly data: { readonly result: readonly unknown[] };
}

test.skipIf(prometheus === undefined)(
  "a real Prometheus that reads a started service loads the rules and answers every query of the dashboard",
  { timeout: 120_000 },
  async () => {
    const home = mkdtempSync(join(tmpdir(), "ids-prometheus-"));
    await using stack = new AsyncDisposableStack();
    stack.defer(() => rmSync(home, { recursive: true }));
    const database = stack.adopt(await openEmbedded(), ({ close }) => close());
    const app = stack.use(await startApp(database, { environment: { IDS_METRICS_PORT: "0" } }));
    await app.refresh("conflict-events");
    const port = await freePort();
    const target = { targets: [`127.0.0.1:${app.metricsPort}`] };
    writeFileSync(
      join(home, "prometheus.yml"),
      stringify({
        global: { scrape_interval: "1s", evaluation_interval: "1s" },
        rule_files: [rules],
        scrape_configs: [{ job_name: "ids", static_configs: [target] }],
      }),
    );
    const server = spawn(
      prometheus ?? "",
      [`--config.file=${home}/prometheus.yml`, `--storage.tsdb.path=${home}`, `--web.listen-address=127.0.0.1:${port}`],
      { stdio: "ignore" },
    );
    const ended = once(server, "exit");
    stack.defer(async () => {
      server.kill("SIGTERM");
      await ended;
    });
    const sendRequest = async (query: string): Promise<QueryResponse> => {
      const parameters = new URLSearchParams({
        query: query.replaceAll("$job", "ids").replaceAll("$__rate_interval", "10s"),
      });
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?${parameters}`);
      return (await response.json()) as QueryResponse;
    };
    const rates = "rate(ids_request_duration_seconds_count{operation='ListConflictEvents'}[5m]) > 0";
    // Until the test's own deadline.
    while ((await sendRequest(rates).catch(() => undefined))?.data.result.length !== 1) {
      await app.get("/api/conflict/v1/list-conflict-events");
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const panels = readDashboard().panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const responses = await Promise.all(
      [...readQueries()].map(async (query) => ({ query, answer: await sendRequest(query) })),
    );
    expect(responses.filter(({ answer }) => answer.status !== "success")).toEqual([]);
    const empty = responses.filter(({ query, answer }) => panels.includes(query) && answer.data.result.length === 0);
    expect(empty.map(({ query }) => query).filter((query) => !ofFaults.test(query))).toEqual([]);
    const loaded = await (await fetch(`http://127.0.0.1:${port}/api/v1/rules`)).json();
    const groups = (loaded as { data: { groups: { rules: { health: string }[] }[] } }).data.groups;
    expect(groups.flatMap((group) => group.rules)).toHaveLength(readRules().length);
    console.log(`${responses.length} queries, ${empty.length} of them about faults and empty`);
  },
);

const grafana = npmFolder("@grafana/schema", "13.2.3");
const panelTypes = ["timeseries", "stat", "table"];

test.skipIf(grafana === undefined)("the dashboard is of the types that Grafana publishes, field by field", () => {
  const home = grafana ?? "";
  writeFileSync(join(home, "dashboard.ts"), typed(readDashboard()));
  const check = () =>
    printed(
      "tsc",
      ["--noEmit", "--ignoreConfig", "--strict", "--skipLibCheck", "--module", "nodenext", "dashboard.ts"],
      home,
    );
  check();
  writeFileSync(
    join(home, "dashboard.ts"),
    typed(readDashboard()).replaceAll('"legendFormat"', '"x"').replace('"gridPos"', '"gridPlace"'),
  );
  expect(check).toThrow("gridPlace");
});

/** The dashboard as a program that only compiles when every field is known and of its type. */
function typed({ panels, ...rest }: Dashboard): string {
  const folder = "./node_modules/@grafana/schema/dist/types/raw/composable";
  const imports = panelTypes.map(
    (type) => `import type { Options as ${type}Options } from "${folder}/${type}/panelcfg/x/types.gen.d.ts";`,
  );
  const lines = panels.map((panel, index) => {
    const type = panel.type === "row" ? "RowPanel" : `Omit<Panel, "options"> & { options: ${panel.type}Options }`;
    return `export const panel${index}: Plain<${type}> = ${JSON.stringify(panel)};`;
  });
  return [
    'import type { Dashboard, Panel, RowPanel } from "@grafana/schema";',
    ...imports,
    // JSON has the values of enumerations, not their names.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a type's
    "type Plain<T> = T extends string ? `${T}` : T extends object ? { [Key in keyof T]: Plain<T[Key]> } : T;",
    `export const dashboard: Plain<Omit<Dashboard, "panels">> = ${JSON.stringify(rest)};`,
    ...lines,
  ].join("\n");
}
