import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../support/servers/go.ts";

const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5);
const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
let home: string;
let written: readonly string[];

/** A container engine whose image has two Debian packages. */
const engine = `#!/bin/sh\nprintf 'libc6 2.36-9+deb12u14 amd64\\ntzdata 2026b-0+deb12u1 all\\n'\n`;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "ids-sbom-"));
  writeFileSync(join(home, "podman"), engine, { mode: 0o755 });
  written = write();
});
afterAll(() => rmSync(home, { recursive: true }));

/** Writes both bills of materials and returns their texts. */
function write(): readonly string[] {
  const PATH = [home, process.env.PATH].join(delimiter);
  execFileSync(process.execPath, ["scripts/write-sbom.ts", home], { cwd: root, env: { ...process.env, PATH } });
  return ["", ".image"].map((kind) => readFileSync(join(home, `${name}-${version}${kind}.cdx.json`), "utf8"));
}

test("the bills of materials are valid CycloneDX, and two runs write the same", async () => {
  for (const text of written) expect(await validator.validate(text)).toBeNull();
  expect(write()).toEqual(written);
  const broken = written[0]?.replace('"type": "library"', '"type": "book"') ?? "";
  expect(await validator.validate(broken)).not.toBeNull();
});

test("the bill of the package has every installed package of the lock file, with license and SHA-512", () => {
  const production = Object.entries<{ dev?: boolean; version: string }>(packages).filter(
    ([path, { dev }]) => path !== "" && !dev,
  );
  const expected = production.map(([path, { version: at }]) => `${path.replace(/^.*node_modules\//, "")}@${at}`);
  const { components } = JSON.parse(written[0] ?? "");
  const listed = components.map((each: { name: string; version: string }) => `${each.name}@${each.version}`);
  expect(new Set(listed)).toEqual(new Set(expected));
  for (const { name: part, licenses, hashes } of components)
    expect([licenses.length > 0, hashes[0].alg], part).toEqual([true, "SHA-512"]);
});

test("the bill of the image adds its base and the packages of the base", () => {
  const { components, metadata, dependencies } = JSON.parse(written[1] ?? "");
  const [base, ...others] = components;
  const from = /^FROM (\S+)$/m.exec(readFileSync(join(root, "deploy/Containerfile"), "utf8"))?.[1];
  expect(`${base.name}:${base.version}`).toBe(from);
  expect(others[0].purl).toBe("pkg:deb/debian/libc6@2.36-9%2Bdeb12u14?arch=amd64");
  expect(metadata.component.properties[0].value).toBe("listed");
  expect(dependencies[0].dependsOn).toEqual([base["bom-ref"], `${name}@${version}`]);
});

test("every package of the lock file has an integrity", () => {
  expect(() => execFileSync(process.execPath, ["scripts/check-lock.ts"], { cwd: root })).not.toThrow();
  const [path = ""] = Object.keys(packages).filter((each) => each !== "");
  const { integrity: _removed, ...rest } = packages[path];
  writeFileSync(join(home, "package-lock.json"), JSON.stringify({ packages: { ...packages, [path]: rest } }));
  const check = () =>
    execFileSync(process.execPath, [join(root, "scripts/check-lock.ts")], { cwd: home, stdio: "pipe" });
  expect(check).toThrow(`without SHA-512 (run node scripts/check-lock.ts --write): ${path}`);
});
