#!/usr/bin/env bash
# Writes the Go side of the contract: gen/go, and the services that the Go client gathers, below a folder:
#   scripts/generate-go.sh [folder]
# The plugins are those that go.mod pins. Without Go, or without its modules, it says so and writes nothing.
set -euo pipefail
out=${1:-.}
tools=$PWD/.deps/go/bin
export PATH="$tools:$PATH:/usr/local/go/bin"
if ! command -v go >/dev/null; then
  echo "generate-go: NO GO ON THIS MACHINE, gen/go IS LEFT AS IT IS" >&2
  exit 0
fi
if ! GOBIN=$tools go install tool; then
  echo "generate-go: THE MODULES OF go.mod ARE OUT OF REACH, gen/go IS LEFT AS IT IS" >&2
  exit 0
fi
buf generate --template sdk/go/buf.gen.yaml -o "$out"
mkdir -p "$out/sdk/go"
node scripts/write-go-services.ts | gofmt >"$out/sdk/go/services.go"
