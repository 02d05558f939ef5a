import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root as checkout } from "../support/go.ts";
import { startContainer } from "../support/image/container.ts";
import { contextFiles, stagesOf } from "../support/image/containerfile.ts";
import { makeBase, noRootHere, registrySettings } from "../support/image/debian-base.ts";
import { executeStage, megabytesOf } from "../support/image/image-root.ts";
import { freePort } from "../support/serve-process.ts";

const reason = noRootHere();
if (reason !== undefined) console.warn(`${reason}: THE PROOF OF THE IMAGE IS SKIPPED`);

const allowedMb = 300;
/** Mounts, and device files. */
const apart = ["/proc", "/tmp", "/dev", "/var/lib/ids"].map((path) => `-path ${path} -prune -o`).join(" ");
const [build, final] = stagesOf(readFileSync(join(checkout, "deploy/Containerfile"), "utf8"));

test.skipIf(reason !== undefined)(
  "the steps of the image recipe, done in an empty Debian, make a service that runs without rights on a read-only root",
  async () => {
    if (!build || !final) throw new Error("The recipe has two stages");
    expect(build.base).toBe(final.base);
    const home = mkdtempSync(join(process.env.IDS_IMAGE_FOLDER ?? tmpdir(), "ids-image-"));
    try {
      const buildRoot = join(home, "build");
      const root = join(home, "final");
      makeBase(root);
      execFileSync("cp", ["-a", root, buildRoot]);
      const baseMb = megabytesOf(root);
      const files = execFileSync("git", ["ls-files"], { cwd: checkout, encoding: "utf8" }).trim().split("\n");
      const context = {
        context: checkout,
        contextFiles: contextFiles(files, readFileSync(join(checkout, "deploy/Containerfile.dockerignore"), "utf8")),
      };
      const outside = registrySettings(buildRoot);
      executeStage(build, { ...context, root: buildRoot, stages: new Map(), outside });
      const config = executeStage(final, { ...context, root, stages: new Map([[build.name, buildRoot]]), outside: {} });
      rmSync(buildRoot, { recursive: true });
      const addedMb = megabytesOf(root) - baseMb;
      expect(addedMb).toBeLessThan(allowedMb);

      const [user = 0, group = 0] = config.user.split(":").map(Number);
      expect(user).toBeGreaterThan(0);
      const volume = join(home, "volume");
      mkdirSync(volume, { mode: 0o700 });
      chownSync(volume, user, group);
      const port = await freePort();
      const began = performance.now();
      const environment = { PORT: String(port), IDS_DATA: "sample", IDS_DEMO: "on", IDS_LOG_LEVEL: "warn" };
      const container = startContainer({ root, config, volume, environment });
      try {
        const url = `http://127.0.0.1:${port}`;
        while (
          !(await fetch(`${url}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          ))
        )
          await new Promise((resolve) => setTimeout(resolve, 100));
        const readyMs = performance.now() - began;
        const key = JSON.parse(readFileSync(join(volume, "demo-keys.json"), "utf8")).pro;
        for (const line of readmeRequests().slice(0, 2)) {
          const command = line.replace("curl", "curl --silent --fail").replace("http://127.0.0.1:8080", url);
          const answer = execFileSync("sh", ["-c", command], { encoding: "utf8", env: { ...process.env, KEY: key } });
          expect(Object.values(JSON.parse(answer))[0]).not.toHaveLength(0);
        }
        expect(container.status("Uid").split("\t")).toEqual(new Array(4).fill(String(user)));
        expect(container.status("CapEff")).toBe("0000000000000000");
        expect(container.exec(config.health)).toBe(0);
        expect(container.exec(["touch", "/opt/ids/mark"])).not.toBe(0);
        expect(container.exec(["sh", "-c", `test -z "$(find / -xdev ${apart} -writable ! -type l -print)"`])).toBe(0);
        expect(container.exec(["touch", "/var/lib/ids/mark"])).toBe(0);
        const residentMb = Number.parseInt(container.status("VmRSS"), 10) / 1000;
        const temporaryMb = container.temporaryMb();
        const { code, milliseconds } = await container.stop();
        expect(code).toBe(0);
        const figures = {
          addedMb,
          baseMb,
          readyMs,
          residentMb,
          temporaryMb,
          volumeMb: megabytesOf(volume),
          stopMs: milliseconds,
        };
        for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${value.toFixed(0)}`);
      } finally {
        await container.stop();
      }
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
);

/** What the README has its reader ask first. */
function readmeRequests(): string[] {
  return readFileSync(join(checkout, "README.md"), "utf8").match(/^curl .*$/gm) ?? [];
}
