#!/bin/sh
# The policy requires an approval before files are written: the run waits, a person reads the inbox and
# approves, and the run continues. It needs curl and jq.
#
#   STRATA_URL=http://127.0.0.1:8787 STRATA_API_KEY=strata_… sh examples/approval.sh
#
# INPUT is a script for the scripted model of `strata dev`; for a real model write a sentence.
set -eu
: "${STRATA_URL:?where Strata answers}" "${STRATA_API_KEY:?an API key}"

INPUT=${INPUT:-'@call file_write {\"path\":\"refund.txt\",\"content\":\"42 EUR\"}\n@then\n@say Written.'}

# api METHOD PATH [BODY] [HEADER]: one request; a refusal ends the script.
api() {
  curl -sS --fail-with-body -X "$1" "$STRATA_URL$2" -H "Authorization: Bearer $STRATA_API_KEY" \
    -H 'Content-Type: application/json' ${3:+--data "$3"} ${4:+-H "$4"}
}
# has NAME TEXT ANSWER: says so and ends the script when the answer does not hold the text.
has() {
  case $3 in
  *"$2"*) echo "$1" ;;
  *) echo "Failed: $1 The response does not contain $2: $3" && exit 1 ;;
  esac
}

# Adds a rule to the policy as it was read, so that no other change is lost.
etag=$(curl -sS -D - -o /dev/null "$STRATA_URL/v1/policy" -H "Authorization: Bearer $STRATA_API_KEY" |
  tr -d '\r' | sed -n 's/^[Ee][Tt][Aa][Gg]: //p')
policy=$(api GET /v1/policy | jq -c '.approvals.file_write = "ask"')
has 'The policy asks before a file is written.' '"file_write":"ask"' \
  "$(api PUT /v1/policy "$policy" "If-Match: $etag")"

run=$(api POST /v1/runs "{\"input\":\"$INPUT\"}" | grep -o 'run_[a-z0-9]*' | head -1)
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  inbox=$(api GET /v1/approvals | jq -c --arg run "$run" '.data[] | select(.run_id == $run)')
  [ -n "$inbox" ] && break
  sleep 1
done
has 'The inbox shows the call and its arguments.' 'refund.txt' "$inbox"
approval=$(printf '%s' "$inbox" | jq -r .id)
has 'A person approves.' '"status":"approved"' \
  "$(api POST "/v1/approvals/$approval/decision" '{"decision":"approve","reason":"the order is ours"}')"
has 'The run has continued.' '"status":"completed"' "$(api GET "/v1/runs/$run?wait=60")"
has 'The audit says who.' '"kind":"approval"' "$(api GET '/v1/audit?limit=20')"
echo 'approval ok'
