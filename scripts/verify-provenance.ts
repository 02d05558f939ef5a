// Verifies the signed statement next to a package. Usage: node scripts/verify-provenance.ts PACKAGE PUBLIC_KEY
import { createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fingerprintOf, openEnvelope } from "./release/envelope.ts";
import { digestsOf, statementSchema } from "./release/statement.ts";

const [, , file, keyFile] = process.argv;
try {
  if (!file || !keyFile) throw new Error("Usage: node scripts/verify-provenance.ts PACKAGE PUBLIC_KEY");
  const key = createPublicKey(readFileSync(keyFile));
  const statement = statementSchema.parse(JSON.parse(openEnvelope(readFileSync(`${file}.intoto.json`, "utf8"), key)));
  const { sha256, sha512 } = digestsOf(readFileSync(file));
  const named = statement.subject.find(({ name }) => name === basename(file));
  if (!named) throw new Error(`The statement is not about ${basename(file)}`);
  if (named.digest.sha256 !== sha256 || named.digest.sha512 !== sha512)
    throw new Error(`${basename(file)} has the SHA-256 ${sha256}, and the statement says ${named.digest.sha256}`);
  const { commit, command } = statement.predicate.buildDefinition.externalParameters;
  console.log(`verified: ${basename(file)}\ncommit:   ${commit}\ncommand:  ${command.join(" && ")}`);
  console.log(`key:      ${fingerprintOf(key)}`);
} catch (error) {
  console.error(`not verified: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
