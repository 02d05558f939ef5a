#!/usr/bin/env bash
# Internet outages in one country, Syria unless another code is given.
set -euo pipefail
: "${IDS_URL:=http://localhost:8080}"

curl --fail-with-body --silent --show-error --get "$IDS_URL/api/infrastructure/v1/list-internet-outages" \
  --header "X-Service-Key: ${IDS_API_KEY:-}" \
  --data-urlencode "country=${1:-SY}"
