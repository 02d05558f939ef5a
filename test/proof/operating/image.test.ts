import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Container, startContainer } from "../../support/image/container.ts";
import { contextFiles, stagesOf } from "../../support/image/containerfile.ts";
import { makeBase, noRootHere, registrySettings } from "../../support/image/debian-base.ts";
import { executeStage, type ImageConfig, megabytesOf } from "../../support/image/image-root.ts";
import { freePort } from "../../support/processes/serve-process.ts";
import { root as checkout } from "../../support/servers/go.ts";

const reason = noRootHere();
if (reason !== undefined) console.warn(`${reason}: THE PROOF OF THE IMAGE IS SKIPPED`);

const allowedMb = 300;
/** Mounts, and device files. */
const apart = ["/proc", "/tmp", "/dev", "/var/lib/ids"].map((path) => `-path ${path} -prune -o`).join(" ");

test.skipIf(reason !== undefined)(
  "the steps of the image recipe, done in an empty Debian, make a service that runs without rights on a read-only root",
  { timeout: 900_000 },
  async () => {
    const home = mkdtempSync(join(process.env.IDS_IMAGE_FOLDER ?? tmpdir(), "ids-image-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const { root, config, baseMb, addedMb } = buildImage(home);
    expect(addedMb).toBeLessThan(allowedMb);
    const [user = 0, group = 0] = config.user.split(":").map(Number);
    expect(user).toBeGreaterThan(0);
    const volume = join(home, "volume");
    mkdirSync(volume, { mode: 0o700 });
    chownSync(volume, user, group);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const began = performance.now();
    const environment = { PORT: String(port), IDS_DATA: "sample", IDS_DEMO: "on", IDS_LOG_LEVEL: "warn" };
    const container = startContainer({ root, config, volume, environment });
    try {
      while (!(await isReady(url))) await new Promise((resolve) => setTimeout(resolve, 100));
      const readyMs = performance.now() - began;
      expectResponses(url, JSON.parse(readFileSync(join(volume, "demo-keys.json"), "utf8")).pro);
      expect(container.status("Uid").split("\t")).toEqual(new Array(4).fill(String(user)));
      expectLocked(container, config);
      const residentMb = Number.parseInt(container.status("VmRSS"), 10) / 1000;
      const temporaryMb = container.temporaryMb();
      const { code, milliseconds: stopMs } = await container.stop();
      expect(code).toBe(0);
      const figures = { addedMb, baseMb, readyMs, residentMb, temporaryMb, volumeMb: megabytesOf(volume), stopMs };
      for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${value.toFixed(0)}`);
    } finally {
      await container.stop();
    }
  },
);

/** Executes both stages of the recipe in roots of their own. */
function buildImage(home: string) {
  const [build, final] = stagesOf(readFileSync(join(checkout, "deploy/Containerfile"), "utf8"));
  if (!build || !final || build.base !== final.base) throw new Error("The recipe has two stages on one base");
  const buildRoot = join(home, "build");
  const root = join(home, "final");
  makeBase(root);
  execFileSync("cp", ["-a", root, buildRoot]);
  const baseMb = megabytesOf(root);
  const files = execFileSync("git", ["ls-files"], { cwd: checkout, encoding: "utf8" }).trim().split("\n");
  const ignore = readFileSync(join(checkout, "deploy/Containerfile.dockerignore"), "utf8");
  const context = { context: checkout, contextFiles: contextFiles(files, ignore) };
  const outside = registrySettings(buildRoot);
  executeStage(build, { ...context, root: buildRoot, stages: new Map(), outside });
  const config = executeStage(final, { ...context, root, stages: new Map([[build.name, buildRoot]]), outside: {} });
  rmSync(buildRoot, { recursive: true });
  return { root, config, baseMb, addedMb: megabytesOf(root) - baseMb };
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The first requests in the README. */
function expectResponses(url: string, key: string): void {
  const lines = readFileSync(join(checkout, "README.md"), "utf8").match(/^curl .*$/gm) ?? [];
  for (const line of lines.slice(0, 2)) {
    const command = line.replace("curl", "curl --silent --fail --max-time 30").replace("http://127.0.0.1:8080", url);
    const response = execFileSync("sh", ["-c", command], { encoding: "utf8", env: { ...process.env, KEY: key } });
    expect(Object.values(JSON.parse(response))[0]).not.toHaveLength(0);
  }
}

/** No capabilities, nothing to write but the volume and /tmp, and a health check that works all the same. */
function expectLocked(container: Container, config: ImageConfig): void {
  expect(container.status("CapEff")).toBe("0000000000000000");
  expect(container.exec(config.health)).toBe(0);
  expect(container.exec(["touch", "/opt/ids/mark"])).not.toBe(0);
  expect(container.exec(["sh", "-c", `test -z "$(find / -xdev ${apart} -writable ! -type l -print)"`])).toBe(0);
  expect(container.exec(["touch", "/var/lib/ids/mark"])).toBe(0);
}
