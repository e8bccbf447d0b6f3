#!/bin/sh
# A nightly digest: an agent of its own, one session in which every night goes on where the last one
# ended, the answer as a file to read in the morning. Nothing but curl. Tonight comes at once: run by hand.
#
#   STRATA_URL=http://127.0.0.1:8787 STRATA_API_KEY=strata_… sh examples/digest.sh
#
# The input below is a script for the model of test/support/model-server.ts; for a real model set
# DIGEST to a sentence like "Write the digest of {{slot.date}} and attach it as digest.md."
set -eu
: "${STRATA_URL:?where Strata answers}" "${STRATA_API_KEY:?an API key}"

DIGEST=${DIGEST:-'@call file_write {\"path\":\"digest.md\",\"content\":\"Quiet.\"}\n@then\n@call attach_file {\"path\":\"digest.md\"}\n@then\n@say Digest of {{slot.date}}: quiet.'}

api() {
  curl -sS --fail-with-body -X "$1" "$STRATA_URL$2" -H "Authorization: Bearer $STRATA_API_KEY" \
    -H 'Content-Type: application/json' ${3:+--data "$3"}
}
has() {
  case $3 in
  *"$2"*) echo "$1" ;;
  *) echo "Failed: $1 The response does not contain $2: $3" && exit 1 ;;
  esac
}
night() {
  run=$(api POST /v1/schedules/digest/run | grep -o 'run_[a-z0-9]\{26\}' | head -1)
  api GET "/v1/runs/$run?wait=60"
}

api PUT '/v1/agents/digest?layer=base/' '{"agent_md":"---\nname: digest\ndescription: Sums up a day.\ntools: Read, Write, attach_file\n---\nWrite what a person must know in the morning, and nothing else.\n"}' >/dev/null
session=$(api POST /v1/sessions '{}' | grep -o 'ses_[a-z0-9]*' | head -1)
has 'Every night at two, in Berlin, summer and winter; a missed night is caught up with by six.' '"next_at":"' \
  "$(api PUT /v1/schedules/digest "{\"cron\":\"0 2 * * *\",\"timezone\":\"Europe/Berlin\",\"agent\":\"digest\",\"session_id\":\"$session\",\"catch_up\":\"latest\",\"catch_up_window_seconds\":14400,\"input\":\"$DIGEST\"}")"
has 'The first night: the digest hangs on the run.' 'digest.md","media_type"' "$(night)"
has 'The second night goes on in the same session.' "$session" "$(night)"
has 'Both are in its messages.' '"quiet.' "$(api GET "/v1/sessions/$session/messages" | sed 's/Digest of [0-9-]*: /"/g')"
has 'On holiday: paused, and why.' '"detail":"holiday"' \
  "$(api POST /v1/schedules/digest/pause '{"reason":"holiday"}')"
has 'And back.' '"status":"active"' "$(api POST /v1/schedules/digest/resume)"
api DELETE /v1/schedules/digest
echo 'digest ok'
