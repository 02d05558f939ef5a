#!/usr/bin/env bash
# Shows a failure: its status, its request id, and the rules that the request broke.
set -euo pipefail
: "${IDS_URL:=http://localhost:8080}"

curl --silent --show-error --get "$IDS_URL/api/infrastructure/v1/reverse-geocode" \
  --header "X-Service-Key: ${IDS_API_KEY:-}" \
  --data-urlencode 'lat=91' \
  --write-out '\nstatus %{http_code}, request %header{x-request-id}\n'
