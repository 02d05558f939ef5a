import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { debianProgram, printed } from "../../support/deploy/programs.ts";
import { root } from "../../support/servers/go.ts";

const analyze = debianProgram("systemd-analyze", "systemd");
const units = join(root, "deploy/systemd");
const allowedExposure = 3;

test.skipIf(analyze === undefined)("systemd finds nothing wrong with the units, and little that they expose", () => {
  const home = mkdtempSync(join(tmpdir(), "ids-units-"));
  try {
    for (const name of readdirSync(units)) {
      const text = execFileSync("sed", [`s|/opt/ids/|${home}/opt/|`, join(units, name)], { encoding: "utf8" });
      writeFileSync(join(home, name.replace("@", "@8080")), text);
    }
    mkdirSync(join(home, "opt/node_modules/.bin"), { recursive: true });
    const program = join(home, "opt/node_modules/.bin/ids");
    copyFileSync(join(root, "bin/ids"), program);
    chmodSync(program, 0o755);
    const services = readdirSync(home).filter((name) => /\.(service|timer)$/.test(name));
    const { status, stderr } = spawnSync(analyze ?? "", ["verify", "--man=no", ...services], {
      cwd: home,
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
    for (const service of services.filter((name) => name.endsWith(".service"))) {
      const report = printed(analyze ?? "", ["security", "--offline=true", "--no-pager", join(home, service)]);
      const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(report)?.[1]);
      console.log(`${service}: ${exposure}`);
      expect(exposure).toBeLessThanOrEqual(allowedExposure);
    }
  } finally {
    rmSync(home, { recursive: true });
  }
});
