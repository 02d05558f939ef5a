import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { outputsOf, printedJson, scriptOf, shapeDifference, shellBlocks } from "../support/docs/page-blocks.ts";
import { type ServeProcess, startServeProcess } from "../support/processes/serve-process.ts";
import { type RecordedNetwork, startRecordedNetwork } from "../support/servers/recorded-network.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
/** From here on the README is of a live service. */
const goesLive = "## Go live";
const pages = [
  "README.md",
  `README.md, ${goesLive}`,
  ...globSync(["docs/*.md", "docs/datasets/*.md"], { cwd: root }).sort(),
].filter((page) => shellBlocks(textOf(page)).length > 0);

function textOf(page: string): string {
  const [file = "", part] = page.split(", ");
  const [before = "", after = ""] = readFileSync(join(root, file), "utf8").split(`${goesLive}\n`);
  return part === undefined ? before : after;
}

let home: string;
let sample: ServeProcess;
let live: ServeProcess;
let network: RecordedNetwork;
let isLoadedWhenReady = false;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "ids-docs-"));
  for (const shared of ["node_modules", "examples", "bin", "src", "gen", "sdk", "package.json"])
    symlinkSync(join(root, shared), join(home, shared));
  // A source that needs no key is all there is of the outside.
  network = await startRecordedNetwork(["contracts-finder"]);
  [sample, live] = await Promise.all([
    startServeProcess({
      ...{ IDS_DATA_DIR: join(home, "sample"), IDS_COMPANY_MONITORING: "on", IDS_ALLOW_LOOPBACK_WEBHOOKS: "on" },
    }),
    startServeProcess({ ...network.environment, IDS_DATA: "live", IDS_DATA_DIR: join(home, "live") }),
  ]);
  const health = async () => (await (await fetch(`${sample.url}/api/health`)).json()) as { readonly status: string };
  await Promise.all([sample, live].map((service) => service.firstSuccess("/livez")));
  // Until the hook's own deadline.
  const isReady = async () => (await fetch(`${sample.url}/readyz`)).ok;
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 500));
  isLoadedWhenReady = (await health()).status === "ok";
}, 240_000);
afterAll(async () => {
  await Promise.all([sample, live].map((service) => service.stop()));
  await network[Symbol.asyncDispose]();
  rmSync(home, { recursive: true });
});

/** The service that a page's reader has started. */
function readerOf(page: string): { readonly url: string; readonly folder: string } {
  if (page.endsWith(goesLive) || page === "docs/going-live.md") return { url: live.url, folder: "live" };
  return { url: sample.url, folder: "sample" };
}

test("with samples a service is ready when every dataset is there", () => {
  expect(isLoadedWhenReady).toBe(true);
});

test("README shows the response of every request of the sample", () => {
  const blocks = shellBlocks(textOf("README.md")).filter(({ commands }) => /^curl /m.test(commands));
  expect(blocks.filter(({ json }) => json === undefined)).toEqual([]);
  expect(blocks.length).toBeGreaterThanOrEqual(7);
});

test("a printed response with a renamed member, a missing member, or another type differs", () => {
  const shown = printedJson('{ "events": [{ "id": "a", "at": 1, … }, …], "total": 2 }');
  const event = { id: "b", at: 3, country: "SD" };
  expect(shapeDifference(shown, { events: [event], total: 1 })).toBeUndefined();
  expect(shapeDifference(shown, { events: [{ ...event, at: "3" }], total: 1 })).toBe("response.events[].at is string");
  expect(shapeDifference(shown, { events: [{ id: "b", time: 3 }], total: 1 })).toBe("response.events[] has no at");
  expect(shapeDifference(shown, { events: [event], total: 1, more: true })).toMatch(/^response has more members/);
  expect(shapeDifference(shown, { events: [], total: 0 })).toBe("response.events is empty");
});

test("README is short, and names about as many sources as the catalog", async () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, sentence = "", sources] = /^(IDS is .*? about (\d+) public sources .*?\.)$/m.exec(readme) ?? [];
  const response = await fetch(`${sample.url}/api/catalog/v1/list-sources`);
  const { sources: listed } = (await response.json()) as { readonly sources: readonly unknown[] };
  expect(Math.abs(Number(sources) - listed.length)).toBeLessThan(5);
  expect(sentence.split(" ").length).toBeLessThan(20);
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(7 * 1024);
});

test.each(pages)(
  "the shell blocks of %s run as printed, with responses of the printed shape",
  {
    timeout: 300_000,
  },
  async (page) => {
    const { url, folder } = readerOf(page);
    const blocks = shellBlocks(textOf(page));
    // npm takes half a second to find the program, so only one page has it do so.
    const npx = page === "README.md" ? "" : 'npx() { "$@"; }\n';
    const script = npx + scriptOf(blocks).replaceAll("http://127.0.0.1:8080", url).replaceAll(".data/", `${folder}/`);
    const environment = { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` };
    const { stdout } = await run("bash", ["-c", script], {
      cwd: home,
      env: { ...environment, IDS_URL: url, PORT: new URL(url).port, IDS_DATA_DIR: join(home, folder) },
      maxBuffer: 64 * 1024 * 1024,
    });
    const outputs = outputsOf(stdout);
    expect(outputs.length).toBe(blocks.length);
    for (const [at, { commands, json }] of blocks.entries()) {
      // The generated pages of datasets shorten inner members too. They are compared with the examples of the contract.
      if (json === undefined || page.startsWith("docs/datasets/")) continue;
      expect(shapeDifference(printedJson(json), JSON.parse(outputs[at] ?? "")), commands).toBeUndefined();
    }
  },
);
