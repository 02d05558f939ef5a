import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signedBytes } from "../../scripts/release/envelope.ts";
import { root } from "../support/servers/go.ts";

const name = "intelligence-data-service-1.0.0.tgz";
const page = readFileSync(join(root, "docs/verifying-a-release.md"), "utf8");
let home: string;
let commit: string;

/** A checkout with the scripts only, and a package that the releaser has signed. */
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "ids-release-"));
  for (const file of ["package.json", "package-lock.json", "go.sum", ".gitignore", "scripts"])
    cpSync(join(root, file), join(home, file), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(home, "node_modules"));
  writeFileSync(join(home, ".gitignore"), "node_modules\nrelease\n*.key\n*.pub\n");
  run("git", "init", "--quiet");
  run("git", "add", ".");
  const author = ["-c", "user.name=test", "-c", "user.email=test@example.org"];
  run("git", ...author, "commit", "--quiet", "--no-verify", "--message", "Test");
  commit = run("git", "rev-parse", "HEAD").trim();
  for (const key of ["release", "other"]) {
    run("openssl", "genpkey", "-algorithm", "ed25519", "-out", `${key}.key`);
    run("openssl", "pkey", "-in", `${key}.key`, "-pubout", "-out", `${key}.pub`);
  }
  mkdirSync(join(home, "release"));
  writeFileSync(join(home, "release", name), "a package");
  writeFileSync(join(home, "release/a.cdx.json"), "{}");
  run(process.execPath, "scripts/write-provenance.ts", `release/${name}`, "release.key", "release/a.cdx.json");
});
afterAll(() => rmSync(home, { recursive: true }));

const run = (program: string, ...parameters: string[]) =>
  execFileSync(program, parameters, { cwd: home, encoding: "utf8" });

function verify(key = "release.pub") {
  const parameters = ["scripts/verify-provenance.ts", `release/${name}`, key];
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, { cwd: home, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

/** Runs with other bytes in a file of the release. */
function altered<Result>(file: string, change: (text: string) => string, body: () => Result): Result {
  const path = join(home, "release", file);
  const before = readFileSync(path, "utf8");
  writeFileSync(path, change(before));
  try {
    return body();
  } finally {
    writeFileSync(path, before);
  }
}

test("the statement names the package, the commit, the lock files, and the bills of materials", () => {
  const { payload } = JSON.parse(readFileSync(join(home, "release", `${name}.intoto.json`), "utf8"));
  const statement = JSON.parse(Buffer.from(payload, "base64").toString());
  const digest = { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), sha512: expect.stringMatching(/^[0-9a-f]{128}$/) };
  expect(statement).toMatchObject({
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name, digest }],
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        externalParameters: { commit },
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: commit } },
          { name: "package-lock.json", digest },
          { name: "go.sum", digest },
        ],
      },
      runDetails: { byproducts: [{ name: "a.cdx.json", digest }] },
    },
  });
  expect(verify()).toEqual({ status: 0, output: expect.stringContaining(`commit:   ${commit}`) });
});

test("another package, statement, signature, or key is rejected with the reason", () => {
  const rejected = (reason: RegExp) => ({ status: 1, output: expect.stringMatching(reason) });
  const inEnvelope = (change: (envelope: { payload: string; signatures: { sig: string }[] }) => void) =>
    altered(
      `${name}.intoto.json`,
      (text) => {
        const envelope = JSON.parse(text);
        change(envelope);
        return JSON.stringify(envelope);
      },
      verify,
    );
  expect(altered(name, (text) => `${text} `, verify)).toEqual(rejected(/^not verified: .* has the SHA-256/));
  expect(verify("other.pub")).toEqual(rejected(/No signature of the statement is from the key/));
  const otherCommit = (payload: string) =>
    Buffer.from(Buffer.from(payload, "base64").toString().replaceAll(commit, "0".repeat(40))).toString("base64");
  const other = inEnvelope((envelope) => {
    envelope.payload = otherCommit(envelope.payload);
  });
  expect(other).toEqual(rejected(/No signature/));
  const unsigned = inEnvelope((envelope) => {
    envelope.signatures = [];
  });
  expect(unsigned).toEqual(rejected(/^not verified/));
  const flipped = inEnvelope(({ signatures: [first] }) => {
    if (first) first.sig = Buffer.from(first.sig, "base64").fill(0, 0, 1).toString("base64");
  });
  expect(flipped).toEqual(rejected(/No signature/));
  expect(altered(`${name}.intoto.json`, () => "{}", verify)).toEqual(rejected(/^not verified/));
  expect(verify().status).toBe(0);
});

test("the signed bytes are those of the standard's example", () => {
  expect(signedBytes("http://example.com/HelloWorld", Buffer.from("hello world")).toString()).toBe(
    "DSSEv1 29 http://example.com/HelloWorld 11 hello world",
  );
});

test("a checkout with changes gets no statement, because no commit has its source", () => {
  const write = () =>
    spawnSync(process.execPath, ["scripts/write-provenance.ts", `release/${name}`, "release.key"], {
      ...{ cwd: home, encoding: "utf8" },
    });
  writeFileSync(join(home, "new.ts"), "");
  expect(write().stderr).toContain("Commit or remove these changes");
  rmSync(join(home, "new.ts"));
});

test("the commands of the page verify the release as printed", () => {
  const commands = [...page.matchAll(/^```console\n([\s\S]*?)^```/gm)]
    .map(([, block = ""]) => [...block.matchAll(/^\$ (.*)$/gm)].map(([, command]) => command).join("\n"))
    .filter((block) => !block.includes("npm ci"));
  const printed = execFileSync("bash", ["-euo", "pipefail", "-c", commands.join("\n")], {
    ...{ cwd: home, encoding: "utf8" },
  });
  for (const line of ["Signature Verified Successfully", `${name}: OK`, `verified: ${name}`])
    expect([page, printed].every((text) => text.includes(line))).toBe(true);
});
