import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { describe, expect, test } from "vitest";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../gen/es/grpc/health/v1/health_pb.ts";
import { ServerReflection } from "../../gen/es/grpc/reflection/v1/reflection_pb.ts";
import { ServerReflection as ServerReflectionAlpha } from "../../gen/es/grpc/reflection/v1alpha/reflection_pb.ts";
import { ScenarioService } from "../../gen/es/ids/scenario/v1/scenario_pb.ts";
import { startApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { freePort } from "../support/processes/serve-process.ts";
import { startBalancer } from "../support/servers/balancer.ts";

const isHere = (program: string) => spawnSync(program, ["-v"]).error === undefined;

/** The documented block without TLS, between this port and a replica. */
function documentedRules(port: number, replica: string): string {
  const page = readFileSync(new URL("../../docs/proxies.md", import.meta.url), "utf8");
  const [, block = ""] = /```nginx\n(.*?)```/s.exec(page) ?? [];
  return block
    .replace("listen 443 ssl http2", `listen 127.0.0.1:${port} http2`)
    .replaceAll(/^ *ssl_.*\n/gm, "")
    .replaceAll("127.0.0.1:8080", replica);
}

/** nginx with the documented rules and nothing else, until it is disposed of. */
async function startNginx(replica: string): Promise<AsyncDisposable & { readonly url: string }> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "ids-nginx-"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const file = join(folder, "nginx.conf");
  const main = `daemon off; master_process off; pid ${join(folder, "pid")}; error_log stderr; events {}`;
  writeFileSync(file, `${main} http { access_log off; ${temporary.join(" ")}\n${documentedRules(port, replica)}}`);
  const child = spawn("nginx", ["-e", "stderr", "-c", file], { stdio: ["ignore", "ignore", "inherit"] });
  await once(child, "spawn");
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      rmSync(folder, { recursive: true });
    },
  };
}

const proxies = [
  { program: "nginx", start: startNginx },
  { program: "haproxy", start: (replica: string) => startBalancer([Number(new URL(`http://${replica}`).port)]) },
];

describe.each(proxies)("the documented $program", { timeout: 60_000 }, ({ program, start }) => {
  if (!isHere(program)) console.warn(`No ${program} on this machine: THE TEST OF ITS CONFIGURATION IS SKIPPED`);
  test.skipIf(!isHere(program))(
    "lists services by reflection, probes health, and passes calls of each protocol",
    async () => {
      await using stack = new AsyncDisposableStack();
      const database = stack.adopt(await openOnce(), (each) => each.close());
      const app = stack.use(await startApp(database));
      const proxy = stack.use(await start(new URL(app.url).host));
      const place = { baseUrl: proxy.url, httpVersion: "2" as const };
      const grpc = createGrpcTransport(place);

      await expect
        .poll(
          () =>
            createClient(Health, grpc)
              .check({})
              .catch(() => undefined),
          { timeout: 10_000 },
        )
        .toMatchObject({
          status: Status.SERVING,
        });
      for (const service of [ServerReflection, ServerReflectionAlpha]) {
        const names: string[] = [];
        const requested = (async function* () {
          yield { messageRequest: { case: "listServices", value: "" } } as const;
        })();
        for await (const { messageResponse } of createClient(service, grpc).serverReflectionInfo(requested))
          if (messageResponse.case === "listServicesResponse")
            names.push(...messageResponse.value.service.map(({ name }) => name));
        expect(names).toEqual(expect.arrayContaining([ScenarioService.typeName, Health.typeName]));
      }
      const headers = { "X-Service-Key": await app.key("free") };
      for (const transport of [grpc, createConnectTransport(place)]) {
        const templates = createClient(ScenarioService, transport).listScenarioTemplates({}, { headers });
        expect((await templates).templates.length).toBeGreaterThan(0);
      }
    },
  );
});
