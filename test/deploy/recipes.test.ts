import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { settings } from "../../src/config/settings.ts";
import { contextFiles, pairsOf, stagesOf } from "../support/image/containerfile.ts";
import { root } from "../support/servers/go.ts";

const text = (path: string) => readFileSync(join(root, path), "utf8");
const program = JSON.parse(text("package.json"));
const compose = parse(text("deploy/compose.yaml"), { merge: true });
const units = globSync("deploy/systemd/*.service", { cwd: root }).sort();
const stages = stagesOf(text("deploy/Containerfile"));

/** Seconds after which the service cuts its own stop. */
const ownStop = Number(/stopWithinMs = ([\d_]+)/.exec(text("src/cli/signals.ts"))?.[1]?.replaceAll("_", "")) / 1000;

test("the image's base is the Node that the project is tested with, and every form names the program's version", () => {
  const [node] = new Set(Object.values(program.optionalDependencies));
  expect(stages.map(({ base }) => base)).toEqual([`node:${node}-bookworm-slim`, `node:${node}-bookworm-slim`]);
  const labels = stages.at(-1)?.instructions.filter(({ keyword }) => keyword === "LABEL") ?? [];
  expect(labels.map(({ text: pairs }) => pairsOf(pairs)["org.opencontainers.image.version"])).toEqual([
    program.version,
  ]);
  const chart = parse(text("deploy/helm/ids/Chart.yaml"));
  expect([chart.version, chart.appVersion]).toEqual([program.version, program.version]);
  expect(compose.services.api.image).toBe(`ids:${program.version}`);
});

test("what the image is built from leaves out keys, data and everything that is built", () => {
  const made = [
    ".env",
    "docs/.env",
    ".git/config",
    ".data/operator-key",
    "node_modules/pg/package.json",
    "deploy/ids.env",
  ];
  const needed = [
    "package.json",
    "package-lock.json",
    "src/main.ts",
    "bin/ids",
    "scripts/write-samples.ts",
    "scripts/tsconfig.package.json",
    "sdk/python/pyproject.toml",
  ];
  expect(contextFiles([...made, ...needed], text("deploy/Containerfile.dockerignore"))).toEqual(needed);
});

test("every form waits longer for a stop than the service takes at most", () => {
  expect(ownStop).toBeGreaterThan(0);
  const seconds = (time: string) => Number.parseInt(time, 10);
  expect(seconds(compose.services.api.stop_grace_period)).toBeGreaterThan(ownStop);
  expect(seconds(compose.services.worker.stop_grace_period)).toBeGreaterThan(ownStop);
  const running = units.filter((unit) => !text(unit).includes("Type=oneshot"));
  expect(running.length).toBeGreaterThan(0);
  for (const unit of running)
    expect(seconds(/TimeoutStopSec=(\d+)s/.exec(text(unit))?.[1] ?? "")).toBeGreaterThan(ownStop);
  const beyondDrain = /drainSeconds (\d+)/.exec(text("deploy/helm/ids/templates/api.yaml"))?.[1];
  const worker = /terminationGracePeriodSeconds: (\d+)/.exec(text("deploy/helm/ids/templates/worker.yaml"))?.[1];
  expect(Math.min(Number(beyondDrain), Number(worker))).toBeGreaterThan(ownStop);
});

test("all units are locked up alike, and every process of compose without rights on a read-only root", () => {
  const sandboxes = units.map((unit) =>
    text(unit).split("\n\n# MemoryDenyWriteExecute is not set")[1]?.split("\n\n[Install]")[0]?.trimEnd(),
  );
  expect(sandboxes[0]).toContain("SystemCallFilter=@system-service");
  expect(new Set(sandboxes).size).toBe(1);
  for (const [name, service] of Object.entries<Record<string, unknown>>(compose.services)) {
    expect(service.read_only, name).toBe(true);
    expect(service.cap_drop, name).toEqual(["ALL"]);
    expect(service.security_opt, name).toEqual(["no-new-privileges:true"]);
  }
});

test("every recipe of a proxy with TLS has browsers use TLS for a year, for the names below too", () => {
  const nginx = text("docs/proxies.md").match(/^server \{.*?^\}/gms) ?? [];
  const recipes = [text("deploy/Caddyfile"), text("deploy/haproxy.cfg"), ...nginx];
  expect(recipes).toHaveLength(3);
  for (const recipe of recipes)
    expect(recipe).toMatch(/Strict-Transport-Security "max-age=31536000; includeSubDomains"/);
});

test("each package that the service installs has one version and a digest, and its version is exact", () => {
  const { packages } = JSON.parse(text("package-lock.json"));
  const installed = Object.entries<Record<string, unknown>>(packages).filter(
    ([path, { dev, optional }]) => path !== "" && dev !== true && optional !== true,
  );
  expect(installed.length).toBeGreaterThan(50);
  expect(installed.filter(([, { integrity }]) => !/^sha512-/.test(String(integrity))).map(([path]) => path)).toEqual(
    [],
  );
  const wanted = Object.entries<string>(program.dependencies);
  expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test("every setting that the forms name exists", () => {
  const files = globSync(["deploy/**/*.{yaml,tpl,json,example,service}", "deploy/Containerfile"], { cwd: root });
  const known = new Set(settings.map(({ name }) => name));
  /** Variables of the recipes themselves. */
  const own = ["DOMAIN", "IDS_UPSTREAM", "IDS_UPSTREAM_PORT", "IDS_HTTP_PORT"];
  const named = files.flatMap((file) => text(file).match(/\bIDS_[A-Z_]+\b/g) ?? []);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !known.has(name) && !own.includes(name))).toEqual([]);
});

test("the chart accepts settings without secrets, and rejects every secret", () => {
  const validate = new Ajv({ strict: false }).compile(JSON.parse(text("deploy/helm/ids/values.schema.json")));
  const takes = (name: string) => validate({ existingSecret: "ids", settings: { [name]: "x" } });
  const secrets = settings.filter(({ name, secret }) => secret === "value" || name === "DATABASE_URL");
  expect(secrets.length).toBeGreaterThan(5);
  expect(secrets.map(({ name }) => name).filter(takes)).toEqual([]);
  const plain = settings.filter(({ secret }) => secret === undefined).map(({ name }) => name);
  expect(plain.filter((name) => !takes(name)).sort()).toEqual([
    "IDS_HOST",
    "IDS_METRICS_PORT",
    "IDS_TRUSTED_PROXIES",
    "PORT",
  ]);
});

test("the page of monitoring has each alert of the rules with its severity", () => {
  const { groups } = parse(text("deploy/prometheus/ids.rules.yaml"));
  const rules: { alert?: string; labels?: { severity: string } }[] = groups.flatMap(
    (group: { rules: object[] }) => group.rules,
  );
  const alerts = rules.flatMap(({ alert, labels }) => (alert ? [`${alert} ${labels?.severity}`] : []));
  const rows = text("docs/monitoring.md").matchAll(/^\| (`Ids.*?`) \|.*\| (critical|warning|info) \|/gm);
  const described = [...rows].flatMap(([, names = "", severity]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => `${name} ${severity}`),
  );
  expect(described.sort()).toEqual(alerts.sort());
});

test("each recipe of a proxy sets the scheme of the request, without which users cannot sign in", () => {
  expect(text("docs/proxies.md").match(/(?:proxy|grpc)_set_header X-Forwarded-Proto \$scheme;/g)).toHaveLength(2);
  // Without the port in `Host`, sign-in fails on any port but 443.
  expect(text("docs/proxies.md")).toContain("proxy_set_header Host $http_host;");
  const haproxy = text("deploy/haproxy.cfg");
  expect(haproxy).toContain("http-request set-header X-Forwarded-Proto https if { ssl_fc }");
  expect(haproxy).toContain("http-request del-header X-Forwarded-Proto if !{ ssl_fc }");
});
