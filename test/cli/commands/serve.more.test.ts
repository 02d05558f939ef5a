import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { freePort, startServeProcess } from "../../support/processes/serve-process.ts";
import { freshFolder, ids } from "../terminal.ts";

const program = fileURLToPath(new URL("../../../bin/ids", import.meta.url));

/** An `ids serve` that is expected to exit early. */
async function failedServe(environment: Readonly<Record<string, string>>) {
  const child = spawn(program, ["serve"], {
    env: { PATH: process.env.PATH, IDS_DATA: "sample", IDS_LOG_LEVEL: "error", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 45_000,
  });
  const [out, err, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { out, err, status };
}

test("a second process on the same folder or port reports why it cannot serve, and the first continues and stops in order", {
  timeout: 90_000,
}, async () => {
  const IDS_DATA_DIR = freshFolder();
  await using first = await startServeProcess({ IDS_DATA_DIR }, ["--no-work"]);
  await first.firstSuccess("/livez");
  const PORT = new URL(first.url).port;
  const [sameFolder, samePort, doctor] = await Promise.all([
    failedServe({ IDS_DATA_DIR, PORT: "0" }),
    failedServe({ IDS_DATA_DIR: freshFolder(), PORT }),
    ids({ IDS_DATA_DIR, PORT }, "doctor"),
  ]);
  expect(sameFolder).toEqual({
    out: "",
    err: expect.stringMatching(/^ids: The data folder .+ is in use by process \d+\. [^\n]+\n$/),
    status: 1,
  });
  expect(samePort).toEqual({
    out: "",
    err: expect.stringMatching(
      new RegExp(
        `^ids: PORT: port ${PORT} on 127.0.0.1 is in use by another program: .* set PORT to another port .*\n$`,
      ),
    ),
    status: 1,
  });
  expect(doctor).toMatchObject({ err: "", status: 0 });
  expect((await fetch(`${first.url}/livez`)).status).toBe(200);
  expect(await first.stop()).toBeLessThan(10_000);
  expect(first.process).toMatchObject({ exitCode: 0, signalCode: null });
});

test("a port for the metrics that is in use is reported with the name of its setting", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const address = other.address();
  const taken = typeof address === "object" && address ? String(address.port) : "";
  const { err, status } = await failedServe({ IDS_DATA_DIR: freshFolder(), PORT: "0", IDS_METRICS_PORT: taken });
  expect({ err, status }).toEqual({
    err: expect.stringMatching(/^ids: IDS_METRICS_PORT: port \d+ on .* set IDS_METRICS_PORT to another port .*\n$/),
    status: 1,
  });
  await new Promise((resolve) => other.close(resolve));
});

test("an address of another machine is reported with the name of its setting", async () => {
  const { err, status } = await failedServe({ IDS_DATA_DIR: freshFolder(), IDS_HOST: "192.0.2.1" });
  expect({ err, status }).toEqual({
    err: "ids: IDS_HOST: 192.0.2.1 is not an address of this machine (EADDRNOTAVAIL): set 127.0.0.1 for this machine only, or 0.0.0.0 for all of its addresses\n",
    status: 1,
  });
});

test("a start that fails late ends the process with status 1 all the same; a misspelled setting was logged before", async () => {
  const misspelled = { IDS_GEOIPDB: "/some/geo.mmdb", IDS_LOG_LEVEL: "warn" };
  const { err, status } = await failedServe({
    ...{ IDS_DATA_DIR: freshFolder(), PORT: "0", IDS_GEOIP_DB: "/none/geo.mmdb" },
    ...misspelled,
  });
  expect(err).toContain("IDS_GEOIPDB is not a setting and has no effect; did you mean IDS_GEOIP_DB?");
  expect(err).toContain("ids: IDS_GEOIP_DB: the IP database /none/geo.mmdb cannot be read: there is no such file.");
  expect(status).toBe(1);
});

test("a second signal ends the process at once", async () => {
  const environment = { IDS_DATA_DIR: freshFolder(), IDS_LOG_LEVEL: "silent" };
  await using service = await startServeProcess(environment, ["--no-work"]);
  await service.firstSuccess("/livez");
  // A request that does not end holds the first stop up.
  const endless = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")) });
  const requesting = fetch(`${service.url}/api/conflict/v1/list-conflict-events`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: endless,
    duplex: "half",
  } as RequestInit).catch(() => undefined);
  await fetch(`${service.url}/livez`);
  const begun = performance.now();
  service.process.kill("SIGINT");
  const stopping = fetchUntilRejected(`${service.url}/livez`);
  await stopping;
  service.process.kill("SIGTERM");
  await once(service.process, "exit");
  expect(performance.now() - begun).toBeLessThan(8_000);
  expect(service.process.exitCode).toBe(143);
  await requesting;
});

test("after SIGTERM a process with a drain time signals balancers and responds until it is over, and a second signal ends it", async () => {
  for (const [IDS_DRAIN_TIME, exitCode] of [
    ["1500ms", 0],
    ["1h", 143],
  ] as const) {
    const environment = { IDS_DATA_DIR: freshFolder(), IDS_LOG_LEVEL: "silent", IDS_DRAIN_TIME };
    await using service = await startServeProcess(environment, ["--no-work"]);
    await service.firstSuccess("/livez");
    service.process.kill("SIGTERM");
    const ended = once(service.process, "exit");
    let reason = "";
    while (reason !== "the process is stopping") ({ reason } = await responseOf(`${service.url}/readyz`));
    const { status, headers } = await fetch(`${service.url}/docs`);
    // A connection that stayed would be cut at the end, perhaps under a request.
    expect([status, headers.get("connection")]).toEqual([200, "close"]);
    if (exitCode === 143) service.process.kill("SIGTERM");
    await ended;
    expect(service.process.exitCode).toBe(exitCode);
  }
});

test("a process that is stopped while it loads its samples does not say that it serves", async () => {
  const PORT = String(await freePort());
  const child = spawn(program, ["serve"], {
    env: { PATH: process.env.PATH, IDS_DATA: "sample", IDS_LOG_LEVEL: "error", IDS_DATA_DIR: freshFolder(), PORT },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [out, ended] = [text(child.stdout), once(child, "exit")];
  while (!(await fetch(`http://127.0.0.1:${PORT}/livez`).catch(() => undefined))?.ok) await wait(50);
  child.kill("SIGTERM");
  expect([await out, (await ended)[0]]).toEqual(["Loading sample data …\n", 0]);
});

async function responseOf(url: string): Promise<{ readonly reason: string }> {
  return (await fetch(url)).json() as Promise<{ reason: string }>;
}

/** Resolves when the port takes no more connections: the first signal was heard. */
async function fetchUntilRejected(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(url, { headers: { connection: "close" } }).catch(() => undefined);
    if (!response) return;
  }
}

/** Output of a start until it serves. */
async function printed(environment: Readonly<Record<string, string>>) {
  const child = spawn(program, ["serve", "--no-work"], {
    env: { PATH: process.env.PATH, IDS_DATA: "sample", PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  await new Promise<void>((resolve) => {
    const look = () => /health|service started/.test(out + err) && resolve();
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      out += chunk;
      look();
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      err += chunk;
      look();
    });
  });
  child.kill("SIGINT");
  await once(child, "close");
  return { out, err };
}

test("a start without a terminal prints where the keys are, and no key", async () => {
  const folder = freshFolder();
  const { out, err } = await printed({ IDS_DATA_DIR: folder });
  const keys = Object.values(JSON.parse(await readFile(join(folder, "demo-keys.json"), "utf8")) as object);
  expect(keys).toHaveLength(5);
  expect(out).toContain(`keys      in ${join(folder, "demo-keys.json")} (readable only by this user)`);
  for (const key of keys) expect(out + err).not.toContain(key);
});

test("with IDS_LOG_FORMAT=json each line of a start is JSON, and one says where it serves and where the keys are", async () => {
  const folder = freshFolder();
  const { out, err } = await printed({ IDS_DATA_DIR: folder, IDS_LOG_FORMAT: "json" });
  const lines = `${out}${err}`.split("\n").filter((line) => line !== "");
  const started = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === "service started");
  expect(started).toMatchObject({ url: expect.stringMatching(/^http:/), keys: join(folder, "demo-keys.json") });
});
