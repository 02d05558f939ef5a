#!/usr/bin/env bash
# Writes the Go code of the contract to a folder: gen/go, and the services of the Go client:
#   scripts/generate-go.sh [folder]
# The plugins are those that go.mod pins. Without Go or its modules, the script prints a message and writes nothing.
set -euo pipefail
out=${1:-.}
tools=$PWD/.deps/go/bin
export PATH="$tools:$PATH:/usr/local/go/bin"
if ! command -v go >/dev/null; then
  echo "generate-go: NO GO ON THIS MACHINE, gen/go IS UNCHANGED" >&2
  exit 0
fi
if ! GOBIN=$tools go install tool; then
  echo "generate-go: THE MODULES OF go.mod ARE OUT OF REACH, gen/go IS UNCHANGED" >&2
  exit 0
fi
buf generate --template sdk/go/buf.gen.yaml -o "$out"
mkdir -p "$out/sdk/go"
node scripts/write-go-services.ts | gofmt >"$out/sdk/go/services.go"
