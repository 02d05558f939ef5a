#!/usr/bin/env bash
# Generates all files again in a second folder and fails on any difference.
set -euo pipefail
fresh=.deps/fresh
rm -rf "$fresh"
mkdir -p "$fresh"
buf generate -o "$fresh"
buf generate --template test/contract/buf.gen.yaml -o "$fresh"
node scripts/write-python.ts "$fresh/sdk/python/src/ids_client"
node src/main.ts openapi --out "$fresh/gen/openapi"
node scripts/write-docs.ts "$fresh"
node scripts/write-notice.ts "$fresh"
node scripts/write-console.ts "$fresh/gen/console"
scripts/generate-go.sh "$fresh"

# The Go code is compared only if Go is installed.
same=true
compare() { diff -r "$fresh/$1" "$1" || same=false; }

for page in operations sources settings commands architecture under-load monitoring retention scores; do compare "docs/$page.md"; done
compare docs/datasets
compare NOTICE.md
compare gen/es
compare gen/openapi
compare gen/console
compare test/gen
for file in $(ls "$fresh/sdk/python/src/ids_client"); do compare "sdk/python/src/ids_client/$file"; done
if [ -d "$fresh/gen/go" ]; then
  compare gen/go
  compare sdk/go/services.go
fi
if ! $same; then
  echo "generated files differ from their sources: run make generate" >&2
  exit 1
fi
