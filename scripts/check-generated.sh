#!/usr/bin/env bash
# Writes everything generated once more beside itself and fails on any difference.
set -euo pipefail
fresh=.deps/fresh
rm -rf "$fresh"
mkdir -p "$fresh"
buf generate -o "$fresh"
buf generate --template buf.gen.test.yaml -o "$fresh"
node src/main.ts openapi --out "$fresh/gen/openapi"
node scripts/write-postman.ts "$fresh/gen/postman/collection.json"
node scripts/write-readme.ts README.md "$fresh/README.md"
scripts/generate-go.sh "$fresh"
written=(--exclude released.binpb)
if [ ! -d "$fresh/gen/go" ]; then written+=(--exclude go); fi
if ! diff README.md "$fresh/README.md" || ! diff -r "${written[@]}" "$fresh/gen" gen || ! diff -r "$fresh/test/gen" test/gen ||
  { [ -d "$fresh/gen/go" ] && ! diff "$fresh/sdk/go/services.go" sdk/go/services.go; }; then
  echo "what is generated is not what its sources say: run make generate" >&2
  exit 1
fi
