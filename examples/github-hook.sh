#!/bin/sh
# A GitHub hook: an opened issue starts a run with a task made of it. This script plays
# GitHub: it signs a payload with the hook's secret and posts it. Nothing but curl and openssl.
#
#   STRATA_URL=http://127.0.0.1:8787 STRATA_API_KEY=strata_… sh examples/github-hook.sh
#
# At GitHub: Settings, Webhooks, the URL below, content type application/json, the secret, "Issues".
# TEMPLATE is a script for the model of test/support/model-server.ts; for a real one write a sentence.
set -eu
: "${STRATA_URL:?where Strata answers}" "${STRATA_API_KEY:?an API key}"

TEMPLATE=${TEMPLATE:-'@say Triaged: {{issue.title}}'}

# api METHOD PATH [BODY]: one request; a refusal ends the script.
api() {
  curl -sS --fail-with-body -X "$1" "$STRATA_URL$2" -H "Authorization: Bearer $STRATA_API_KEY" \
    -H 'Content-Type: application/json' ${3:+--data "$3"}
}
# has NAME TEXT ANSWER: says so and ends the script when the answer does not hold the text.
has() {
  case $3 in
  *"$2"*) echo "$1" ;;
  *) echo "Failed: $1 The response does not contain $2: $3" && exit 1 ;;
  esac
}

hook=$(api POST /v1/hooks "{\"scheme\":\"github\",\"events\":[\"issues\"],\"template\":\"$TEMPLATE\"}")
id=$(printf '%s' "$hook" | grep -o '"id":"[^"]*"' | head -1 | cut -d'"' -f4)
secret=$(printf '%s' "$hook" | grep -o '"secret":"[^"]*"' | head -1 | cut -d'"' -f4)
echo 'The hook has a URL of its own and a secret that is shown once.'

payload='{"action":"opened","issue":{"title":"The otter does not swim","number":7}}'
delivery=$(openssl rand -hex 16)
# post SIGNATURE: what GitHub sends; the answer and its status.
post() {
  curl -sS -w ' %{http_code}' "$STRATA_URL/v1/hooks/$id" --data-binary "$payload" \
    -H 'Content-Type: application/json' -H 'X-GitHub-Event: issues' \
    -H "X-GitHub-Delivery: $delivery" -H "X-Hub-Signature-256: sha256=$1"
}
right=$(printf '%s' "$payload" | openssl dgst -sha256 -hmac "$secret" | sed 's/.* //')
wrong=$(printf '%s' "$payload" | openssl dgst -sha256 -hmac 'another secret' | sed 's/.* //')

has 'A wrong signature is refused.' ' 401' "$(post "$wrong")"
started=$(post "$right")
run=$(printf '%s' "$started" | grep -o 'run_[a-z0-9]\{26\}' | head -1)
has 'An issue starts a run.' 'run_' "$started"
has 'Delivered twice it is the same run.' "$run" "$(post "$right")"
shown=$(api GET "/v1/runs/$run?wait=60")
has 'The run has triaged it.' '"status":"completed"' "$shown"
has 'Its words are data for the model, marked as such.' 'webhook_data' "$shown"
echo 'github-hook ok'
