import { execFile, spawnSync } from "node:child_process";
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { type ClientService, startForClients } from "../../support/client-service.ts";
import { openLoaded } from "../../support/loaded.ts";
import { root } from "../../support/servers/go.ts";

const call = promisify(execFile);
const programs = join(root, "test/support/generators");
const quietly = ["--no-audit", "--no-fund", "--loglevel=error"];
const openapiGenerator = { artifact: "org.openapitools:openapi-generator-cli", version: "7.25.0" };
const jar = `openapi-generator-cli-${openapiGenerator.version}.jar`;

/** Runs a program in a folder, with its parameters separated by spaces, and returns all that it prints. */
type Run = (line: string, environment?: Readonly<Record<string, string>>) => Promise<string>;

/** A program that writes a client from `openapi.json` in its folder. */
interface Generator {
  readonly name: string;
  readonly probes: readonly string[];
  readonly install: (run: Run) => Promise<unknown>;
  /** Returns what the generator prints. */
  readonly generate: (run: Run) => Promise<string>;
  /** Warnings that are of the generator and not of the document. */
  readonly ownWarnings?: RegExp;
  readonly files: string;
  readonly compile: (run: Run, folder: string) => Promise<unknown>;
  /** Makes the nine calls. */
  readonly calls: string;
}

const getJar = async (run: Run): Promise<void> => {
  const { artifact, version } = openapiGenerator;
  const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";
  await run(`mvn -q ${plugin} -Dartifact=${artifact}:${version} -DoutputDirectory=. -Dmdep.useBaseVersion=true`);
};

const generators: readonly Generator[] = [
  {
    name: "openapi-typescript 7.13.0 with openapi-fetch 0.17.0",
    probes: ["npm --version"],
    install: async (run) => {
      const packages = "openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9.3 @types/node@24.3.0";
      await run(`npm install ${quietly.join(" ")} ${packages}`);
    },
    generate: (run) => run("node_modules/.bin/openapi-typescript openapi.json -o contract.d.ts"),
    files: "contract.d.ts",
    compile: async (run, folder) => {
      copyFileSync(join(programs, "openapi_fetch.ts.txt"), join(folder, "calls.mts"));
      await run("node_modules/.bin/tsc --strict --target es2022 --module nodenext calls.mts");
    },
    calls: "node calls.mjs",
  },
  {
    name: "openapi-python-client 0.29.1",
    probes: ["python3 -m venv --help"],
    install: async (run) => {
      await run("python3 -m venv python");
      await run("python/bin/pip install -q --disable-pip-version-check openapi-python-client==0.29.1 mypy==1.18.2");
    },
    generate: (run) =>
      run("python/bin/openapi-python-client generate --path openapi.json --meta none --output-path client"),
    files: "client/**/*.py",
    compile: async (run, folder) => {
      copyFileSync(join(programs, "with_openapi_python_client.py"), join(folder, "calls.py"));
      await run("python/bin/mypy --strict --follow-imports=silent calls.py");
      await run("python/bin/python -m compileall -q client");
    },
    calls: "python/bin/python calls.py",
  },
  {
    name: "oapi-codegen 2.8.2",
    probes: ["go version"],
    install: async (run) => {
      await run("go mod init contract");
      await run("go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2");
      await run("go get github.com/oapi-codegen/runtime@v1.8.0");
    },
    generate: (run) => run("./oapi-codegen -generate types,client -package api -o api/api.go openapi.json"),
    files: "api/*.go",
    compile: async (run, folder) => {
      copyFileSync(join(programs, "with_oapi_codegen.go"), join(folder, "main.go"));
      await run("go mod tidy");
      await run("go vet ./...");
      await run("go build -o calls .");
    },
    calls: "./calls",
  },
  {
    name: "openapi-generator 7.25.0, java",
    probes: ["java -version", "mvn -version"],
    install: getJar,
    generate: (run) => run(`java -jar ${jar} generate -g java --library native -i openapi.json -o client`),
    ownWarnings: /OpenAPI 3\.1 support is still in beta/,
    files: "client/src/main/**/*.java",
    compile: async (run, folder) => {
      copyFileSync(join(programs, "Calls.java"), join(folder, "client/src/main/java/Calls.java"));
      await run(
        `mvn -q -f client test-compile org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath -Dmdep.outputFile=${join(folder, "classpath")}`,
      );
      writeFileSync(join(folder, "java.txt"), `-cp client/target/classes:${readFileSync(join(folder, "classpath"))}`);
    },
    calls: "java @java.txt Calls",
  },
  {
    name: "openapi-generator 7.25.0, python",
    probes: ["java -version", "mvn -version", "python3 -m venv --help"],
    install: async (run) => {
      await getJar(run);
      await run("python3 -m venv python");
    },
    // It writes the class of webhooks without types: that is left out.
    generate: (run) =>
      run(
        `java -jar ${jar} generate -g python -i openapi.json -o client --global-property apis,models,supportingFiles`,
      ),
    // The second comes of any `anyOf`, `oneOf` or `allOf`; the third of the parameter `from`, a word of Python, which stays `from`.
    ownWarnings:
      /OpenAPI 3\.1 support is still in beta|Failed to get the schema name: null|From \(reserved word\) cannot be used as model name/,
    files: "client/openapi_client/**/*.py",
    compile: async (run, folder) => {
      copyFileSync(join(programs, "with_openapi_generator.py"), join(folder, "calls.py"));
      await run("python/bin/pip install -q --disable-pip-version-check ./client");
      await run("python/bin/python -m compileall -q client/openapi_client");
    },
    calls: "python/bin/python calls.py",
  },
];

function isHere({ name, probes }: Generator): boolean {
  const missing = probes.filter((probe) => {
    const [program = "", ...parameters] = probe.split(" ");
    return spawnSync(program, parameters, { stdio: "ignore", timeout: 60_000 }).status !== 0;
  });
  if (missing.length > 0) console.warn(`No ${missing} on this machine: THE PROOF OF ${name} IS SKIPPED`);
  return missing.length === 0;
}

const home = mkdtempSync(join(tmpdir(), "ids-generators-"));
let database: Database;
let service: ClientService;
let document: string;
beforeAll(async () => {
  database = await openLoaded();
  service = await startForClients(database, { IDS_PLAN_LIMITS: "pro_monthly=1" });
  document = await (await fetch(`${service.app.url}/openapi.json`)).text();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await database.close();
  rmSync(home, { recursive: true, force: true });
});

describe.each(generators.map((generator, place) => [generator.name, generator, String(place)] as const))(
  "%s",
  (name, generator, place) => {
    test.skipIf(!isHere(generator))(
      "writes without a warning a client that compiles and makes nine calls",
      async () => {
        const folder = join(home, place);
        mkdirSync(folder);
        writeFileSync(join(folder, "openapi.json"), document);
        const run = runIn(folder);
        await generator.install(run);
        const printed = await generator.generate(run);
        const warnings = printed
          .split("\n")
          .filter((line) => /\b(?:WARN|ERROR|Warning|Error|failed)\b/.test(line) && !line.includes(" INFO "));
        expect(warnings.filter((line) => !generator.ownWarnings?.test(line))).toEqual([]);
        const bytes = globSync(join(folder, generator.files)).map((file) => statSync(file).size);
        const size = bytes.reduce((sum, each) => sum + each, 0);
        console.log(`${name}: ${(size / 1e6).toFixed(2)} MB in ${bytes.length} files, ${warnings.length} warnings`);
        await generator.compile(run, folder);
        const limited = await service.app.key("pro_monthly");
        expect(
          await run(generator.calls, { ...service.environment, IDS_CLIENT: folder, IDS_LIMITED_KEY: limited }),
        ).toBe(await expected());
      },
    );
  },
);

function runIn(folder: string): Run {
  return async (line, environment = {}) => {
    const [program = "", ...parameters] = line.split(" ");
    const PATH = `${join(folder, "python/bin")}:${process.env.PATH}`;
    const env = { ...process.env, PATH, GOFLAGS: "-mod=mod", GOBIN: folder, ...environment };
    const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
    const { stdout, stderr } = await call(program, parameters, options).catch(
      (error: { stdout?: string; stderr?: string }) => {
        throw new Error(`${line}: ${error.stdout}${error.stderr}`);
      },
    );
    return stdout + stderr;
  };
}

/** The output of the nine calls, from plain JSON. */
async function expected(): Promise<string> {
  interface Page {
    readonly tenders: readonly { readonly id: string }[];
    readonly nextCursor: string;
  }
  interface Finished {
    readonly result?: { readonly topImpactCountries: readonly { readonly iso2: string }[] };
  }
  const { app } = service;
  const tenders = "/api/economic/v1/list-global-tenders";
  const filtered = await app.json<Page>(`${tenders}?countries=FR,DE,GB&sort=closing_soon&page_size=5`);
  const ids: string[] = [];
  for (let cursor: string | undefined; cursor !== ""; ) {
    const page: Page = await app.json<Page>(`${tenders}?page_size=100&cursor=${encodeURIComponent(cursor ?? "")}`);
    ids.push(...page.tenders.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  const { outages } = await app.json<{ outages: { severity: string; detectedAt: number }[] }>(
    "/api/infrastructure/v1/list-internet-outages?severity=OUTAGE_SEVERITY_PARTIAL",
  );
  const unknown = (await (await app.get(tenders, { key: null })).json()) as { error: string };
  const { IDS_API_KEY: key = "" } = service.environment;
  const body = '{"scenarioId":"panama-drought-50pct"}';
  const started = await app.get("/api/scenario/v1/run-scenario", { method: "POST", key, body });
  const { statusUrl } = (await started.json()) as { statusUrl: string };
  const country = async () => {
    const state = (await (await app.get(statusUrl, { key })).json()) as Finished;
    return state.result?.topImpactCountries[0]?.iso2;
  };
  await expect.poll(country, { timeout: 10_000 }).toMatch(/^[A-Z]{2}$/);
  return [
    `filters ${filtered.tenders.map(({ id }) => id)}`,
    `pages ${ids.length} ${ids.length}`,
    `scenario ${await country()}`,
    `enum ${outages.length} ${outages[0]?.severity}`,
    `int64 ${outages[0]?.detectedAt}`,
    "400 min_value",
    `401 ${unknown.error}`,
    "403 1",
    "429 per_minute",
    "",
  ].join("\n");
}
