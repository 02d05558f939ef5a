#!/usr/bin/env bash
# Lists internet outages in one country, Syria by default.
set -euo pipefail
: "${IDS_URL:=http://localhost:8080}"

curl --fail-with-body --silent --show-error --get "$IDS_URL/api/infrastructure/v1/list-internet-outages" \
  --header "X-Service-Key: ${IDS_API_KEY:-}" \
  --data-urlencode "country=${1:-SY}"
