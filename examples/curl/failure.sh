#!/usr/bin/env bash
# What a failure looks like: its status, the id to ask about it by, and which rules were broken.
set -euo pipefail
: "${IDS_URL:=http://localhost:8080}"

curl --silent --show-error --get "$IDS_URL/api/infrastructure/v1/reverse-geocode" \
  --header "X-Service-Key: ${IDS_API_KEY:-}" \
  --data-urlencode 'lat=91' \
  --write-out '\nstatus %{http_code}, request %header{x-request-id}\n'
