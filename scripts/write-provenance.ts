// Writes a signed statement of where a package comes from: an in-toto statement with SLSA provenance, next to the
// package. Usage: node scripts/write-provenance.ts PACKAGE KEY [BYPRODUCT …]
import { execFileSync } from "node:child_process";
import { createPrivateKey } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { signEnvelope } from "./release/envelope.ts";
import { digestsOf, provenanceType, type Statement, statementSchema } from "./release/statement.ts";

const [, , file, keyFile, ...byproducts] = process.argv;
if (!file || !keyFile) throw new Error("Usage: node scripts/write-provenance.ts PACKAGE KEY [BYPRODUCT …]");
const key = createPrivateKey(readFileSync(keyFile));
if (key.asymmetricKeyType !== "ed25519") throw new Error(`${keyFile}: the key must be an Ed25519 key`);
const changed = git("status", "--porcelain");
if (changed !== "")
  throw new Error(`Commit or remove these changes first, so that a commit has the source:\n${changed}`);

const commit = git("rev-parse", "HEAD");
const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
const statement: Statement = statementSchema.parse({
  _type: "https://in-toto.io/Statement/v1",
  subject: [described(file)],
  predicateType: provenanceType,
  predicate: {
    buildDefinition: {
      buildType: "https://ids.example.org/build/npm-pack/v1",
      externalParameters: { commit, command: ["npm ci --ignore-scripts", "npm pack"] },
      internalParameters: { node: process.versions.node, npm: run("npm", "--version"), engines },
      resolvedDependencies: [
        { name: "source", digest: { gitCommit: commit } },
        ...["package-lock.json", "go.sum"].map(described),
      ],
    },
    runDetails: {
      builder: { id: "https://ids.example.org/builders/releaser" },
      metadata: { invocationId: commit },
      byproducts: byproducts.map(described),
    },
  },
});
const output = `${file}.intoto.json`;
writeFileSync(output, `${JSON.stringify(signEnvelope(JSON.stringify(statement), key))}\n`);
console.log(output);

function described(path: string) {
  return { name: basename(path), digest: digestsOf(readFileSync(path)) };
}

function git(...parameters: string[]): string {
  return run("git", ...parameters);
}

function run(program: string, ...parameters: string[]): string {
  return execFileSync(program, parameters, { encoding: "utf8" }).trim();
}
