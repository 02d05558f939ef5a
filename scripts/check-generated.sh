#!/usr/bin/env bash
# Writes everything generated once more beside itself and fails on any difference.
set -euo pipefail
fresh=.deps/fresh
rm -rf "$fresh"
mkdir -p "$fresh"
buf generate -o "$fresh"
buf generate --template buf.gen.test.yaml -o "$fresh"
buf generate --template buf.gen.sdk.yaml -o "$fresh"
node scripts/write-sdk.ts "$fresh/sdk/typescript/src/gen"
node src/main.ts openapi --out "$fresh/gen/openapi"
node scripts/write-readme.ts README.md "$fresh/README.md"
if ! diff README.md "$fresh/README.md" || ! diff -r --exclude released.binpb "$fresh/gen" gen || ! diff -r "$fresh/test/gen" test/gen ||
  ! diff -r "$fresh/sdk/typescript/src/gen" sdk/typescript/src/gen; then
  echo "what is generated is not what its sources say: run make generate" >&2
  exit 1
fi
