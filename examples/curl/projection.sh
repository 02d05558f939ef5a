#!/usr/bin/env bash
# Returns only the titles of the first three outages. The service applies the JMESPath expression.
set -euo pipefail
: "${IDS_URL:=http://localhost:8080}"

curl --fail-with-body --silent --show-error --get "$IDS_URL/api/infrastructure/v1/list-internet-outages" \
  --header "X-Service-Key: ${IDS_API_KEY:-}" \
  --data-urlencode 'jmespath=outages[:3].title'
