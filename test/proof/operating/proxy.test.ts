import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { ConflictService } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { openEmbedded } from "../../http/embedded-database.ts";
import { startApp } from "../../support/app.ts";
import { goModule, unpackedProgram } from "../../support/deploy/programs.ts";
import { freePort } from "../../support/processes/serve-process.ts";
import { root } from "../../support/servers/go.ts";

const specification = goModule("github.com/compose-spec/compose-go/v2@v2.16.2");

test.skipIf(specification === undefined)("compose.yaml is as the Compose specification wants it", () => {
  const schema = JSON.parse(readFileSync(join(specification ?? "", "schema/compose-spec.json"), "utf8"));
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, logger: false }));
  ajv.addFormat("duration", /^(?:\d+(?:ms|s|m|h))+$/);
  const validate = ajv.compile(schema);
  const compose = parse(readFileSync(join(root, "deploy/compose.yaml"), "utf8"), { merge: true });
  expect(validate(compose), ajv.errorsText(validate.errors)).toBe(true);
  compose.services.api.stop_grace = "20s";
  expect(validate(compose)).toBe(false);
});

const caddy = unpackedProgram("usr/bin/caddy", "caddy");

test.skipIf(caddy === undefined)(
  "Caddy, with the recipe's file, serves JSON and gRPC over TLS, hides the metrics, and ignores a caller's claimed location",
  {
    timeout: 60_000,
  },
  async () => {
    const home = mkdtempSync(join(tmpdir(), "ids-caddy-"));
    onTestFinished(() => rmSync(home, { recursive: true }));
    await using stack = new AsyncDisposableStack();
    const database = stack.adopt(await openEmbedded(), ({ close }) => close());
    const app = stack.use(
      await startApp(database, { environment: { IDS_TRUSTED_PROXIES: "127.0.0.0/8", IDS_HOST: "127.0.0.1" } }),
    );
    await app.refresh("conflict-events");
    const port = await freePort();
    mkdirSync(join(home, "data"));
    const environment = {
      ...{ PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: join(home, "data"), XDG_CONFIG_HOME: home },
      ...{ DOMAIN: `localhost:${port}`, IDS_UPSTREAM: "localhost", IDS_UPSTREAM_PORT: new URL(app.url).port },
      IDS_HTTP_PORT: String(await freePort()),
    };
    const server = spawn(caddy ?? "", ["run", "--adapter", "caddyfile", "--config", "deploy/Caddyfile"], {
      ...{ cwd: root, env: environment, stdio: ["ignore", "ignore", "pipe"] },
    });
    let log = "";
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log += text;
    });
    const ended = once(server, "exit");
    stack.defer(async () => {
      server.kill("SIGTERM");
      await ended;
    });
    const url = `https://localhost:${port}`;
    const authority = join(home, "data/caddy/pki/authorities/local/root.crt");
    const curl = async (path: string, ...more: string[]) => {
      const fixed = ["--silent", "--show-error", "--fail", "--include", "--max-time", "10", "--cacert", authority];
      return (await promisify(execFile)("curl", [...fixed, ...more, url + path])).stdout;
    };
    // Until the test's own deadline.
    while (!log.includes("certificate obtained successfully")) await new Promise((resolve) => setTimeout(resolve, 100));
    const path = "/api/conflict/v1/list-conflict-events?country=SD";
    expect(await curl(path)).toMatch(/^HTTP\/2 200[\s\S]*"events":\[/);
    await expect(curl("/metrics")).rejects.toThrow("404");
    expect(await curl("/docs")).toMatch(/^strict-transport-security: max-age=31536000; includeSubDomains/im);
    const plain = (headers: Record<string, string> = {}) =>
      fetch(`http://localhost:${environment.IDS_HTTP_PORT}/docs?a=b`, { headers, redirect: "manual" });
    expect((await plain()).status).toBe(403);
    const redirected = await plain({ Accept: "text/html,*/*" });
    expect([redirected.status, redirected.headers.get("Location")]).toEqual([308, `${url}/docs?a=b`]);
    const transport = createGrpcTransport({ baseUrl: url, nodeOptions: { ca: readFileSync(authority) } });
    const { events } = await createClient(ConflictService, transport).listConflictEvents({ country: "SD" });
    expect(events.length).toBeGreaterThan(0);
    // A caller that names another address each time is one caller all the same.
    const left = async (said: string) => {
      const response = await curl(path, "--header", `X-Forwarded-For: ${said}`);
      return Number(/^x-ratelimit-remaining: (\d+)/im.exec(response)?.[1]);
    };
    const before = await left("198.51.100.1");
    expect(await left("203.0.113.7")).toBe(before - 1);
  },
);
