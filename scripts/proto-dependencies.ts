// Copies the third-party protos that ours import from npm packages to .deps/proto. It needs no network, and the
// repository contains no copies.
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { file_buf_validate_validate } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { protoText } from "../src/contract/proto-text.ts";
import { standardProtos } from "./proto-standards.ts";

const out = ".deps/proto";

copyGoogleApi();
printValidate();
writeStandards();

function copyGoogleApi(): void {
  const from = dirname(createRequire(import.meta.url).resolve("protobufjs/package.json"));
  mkdirSync(join(out, "google/api"), { recursive: true });
  for (const name of ["annotations.proto", "http.proto"])
    copyFileSync(join(from, "google/api", name), join(out, "google/api", name));
}

function writeStandards(): void {
  for (const [path, text] of Object.entries(standardProtos)) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), text);
  }
}

function printValidate(): void {
  mkdirSync(join(out, "buf/validate"), { recursive: true });
  writeFileSync(join(out, "buf/validate/validate.proto"), protoText(file_buf_validate_validate));
}
