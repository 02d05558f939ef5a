#!/usr/bin/env bash
# Creates a key for the caller's own account. With the same Idempotency-Key, a repeated request returns the same key.
set -euo pipefail
: "${IDS_URL:=http://localhost:8080}"

curl --fail-with-body --silent --show-error "$IDS_URL/api/account/v1/create-api-key" \
  --header "X-Service-Key: ${IDS_API_KEY:-}" \
  --header "Content-Type: application/json" \
  --header "Idempotency-Key: ${1:-first-key}" \
  --data '{"name": "made by curl"}'
