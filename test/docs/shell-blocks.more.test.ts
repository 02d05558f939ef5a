import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
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
].filter((page) => blocksOf(page) !== "");

function textOf(page: string): string {
  const [file = "", part] = page.split(", ");
  const [before = "", after = ""] = readFileSync(join(root, file), "utf8").split(`${goesLive}\n`);
  return part === undefined ? before : after;
}

/** The commands that a page has its reader type. The tests of the command line run `make` itself. */
function blocksOf(page: string): string {
  const blocks = [...textOf(page).matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = ""]) => text);
  return blocks
    .join("")
    .split("\n")
    .filter((line) => line !== "" && !/^(?:\w+=\w+ )*make /.test(line))
    .join("\n");
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

/** JSON as a page prints it: `…` stands for further members or items. */
function printed(json: string): unknown {
  return JSON.parse(json.replaceAll(/,\s*…\s*\}/g, ', "…": "…" }').replaceAll(/,\s*…\s*\]/g, ', "…"]'));
}

/** Where the shape of a response differs from that of the printed one; undefined if it does not. */
function difference(shown: unknown, actual: unknown, path = "response"): string | undefined {
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return `${path} isn't a list`;
    const [first] = shown;
    return first === undefined ? undefined : difference(first, actual[0], `${path}[0]`);
  }
  if (typeof shown !== "object" || shown === null || typeof actual !== "object" || actual === null)
    return typeof shown === typeof actual ? undefined : `${path} is ${typeof actual}`;
  const members = Object.entries(shown).filter(([name]) => name !== "…");
  const [names, known] = [members.map(([name]) => name), Object.keys(actual)];
  const lacking = names.filter((name) => !known.includes(name));
  if (lacking.length > 0) return `${path} has no ${lacking.join(", ")}`;
  if (!("…" in shown) && known.length > names.length) return `${path} has more members: ${known.join(", ")}`;
  return members
    .map(([name, value]) => difference(value, actual[name as keyof typeof actual], `${path}.${name}`))
    .find(Boolean);
}

const requests = [...textOf("README.md").matchAll(/^```sh\n([^`]*?curl [^`]*?)^```\n\n```json\n(.*?)^```$/gms)].map(
  ([, command = "", json = ""]) => ({ command, json }),
);

test("README shows the response of every request of the sample", () => {
  expect(requests.length).toBe([...textOf("README.md").matchAll(/^curl /gm)].length);
  expect(requests.length).toBeGreaterThanOrEqual(7);
});

test.each(requests)("README prints the shape of the response of $command", async ({ command, json }) => {
  const keys = JSON.parse(readFileSync(join(home, "sample/demo-keys.json"), "utf8")) as { readonly pro: string };
  const [, path = ""] = /"http:\/\/127\.0\.0\.1:8080([^"]+)"/.exec(command) ?? [];
  const headers = command.includes("X-Service-Key") ? { "X-Service-Key": keys.pro } : {};
  const response = await fetch(sample.url + path, { headers });
  expect(difference(printed(json), await response.json())).toBeUndefined();
});

test("README is short, and names as many sources as the catalog", async () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, sentence = "", sources] = /^(IDS is .*? (\d+) public sources .*?\.)$/m.exec(readme) ?? [];
  const response = await fetch(`${sample.url}/api/catalog/v1/list-sources`);
  const { sources: listed } = (await response.json()) as { readonly sources: readonly unknown[] };
  expect(Number(sources)).toBe(listed.length);
  expect(sentence.split(" ").length).toBeLessThan(20);
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(7 * 1024);
});

test.each(pages)("the shell blocks of %s run as printed", { timeout: 120_000 }, async (page) => {
  const { url, folder } = readerOf(page);
  const script = blocksOf(page).replaceAll("http://127.0.0.1:8080", url).replaceAll(".data/", `${folder}/`);
  // A failure of any command, and any status that is an error, is a failure of the page.
  const strict = `set -euo pipefail\ncurl() { command curl -sS --fail-with-body "$@"; }\n`;
  const environment = { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` };
  const { stdout } = await run("bash", ["-c", strict + script], {
    cwd: home,
    env: { ...environment, IDS_URL: url, PORT: new URL(url).port, IDS_DATA_DIR: join(home, folder) },
    maxBuffer: 64 * 1024 * 1024,
  });
  expect(stdout.length).toBeGreaterThan(0);
});
