#!/usr/bin/env bash
# Writes gen/ once more beside itself and fails on any difference.
set -euo pipefail
fresh=.deps/fresh
rm -rf "$fresh"
mkdir -p "$fresh"
buf generate -o "$fresh"
node src/main.ts openapi --out "$fresh/gen/openapi"
if ! diff -r --exclude released.binpb "$fresh/gen" gen; then
  echo "gen/ is not what proto/ says: run make generate" >&2
  exit 1
fi
