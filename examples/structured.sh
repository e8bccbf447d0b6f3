#!/bin/sh
# Answers as data: a run whose answer must fit a JSON Schema. Natively where the provider has it, else
# by the prompt; checked in any case and asked for once more. Nothing but curl.
#
#   STRATA_URL=http://127.0.0.1:8787 STRATA_API_KEY=strata_… sh examples/structured.sh
#
# The inputs below are scripts for the model of test/support/model-server.ts; for a real model set FITS
# to a sentence that asks for the height of a mountain, and UNFIT to one that forbids JSON.
set -eu
: "${STRATA_URL:?where Strata answers}" "${STRATA_API_KEY:?an API key}"

FITS=${FITS:-'@say A mountain.\n@say {\"name\":\"Rysy\",\"metres\":2501}'}
UNFIT=${UNFIT:-'@say A mountain.\n@say A high one.'}
SCHEMA='{"type":"object","properties":{"name":{"type":"string"},"metres":{"type":"integer"}},
  "required":["name","metres"],"additionalProperties":false}'

# run INPUT: to its end; the answer is the run.
run() {
  curl -sS --fail-with-body "$STRATA_URL/v1/runs" -H "Authorization: Bearer $STRATA_API_KEY" \
    -H 'Content-Type: application/json' -H 'Prefer: wait=60' \
    --data "{\"input\":\"$1\",\"output_schema\":$SCHEMA,\"output_schema_required\":true}"
}
# has NAME TEXT RUN: says so and ends the script when the run does not hold the text.
has() {
  case $3 in
  *"$2"*) echo "$1" ;;
  *) echo "Failed: $1 The response does not contain $2: $3" && exit 1 ;;
  esac
}

first=$(run "$FITS")
has 'The answer is data.' '"metres":2501' "$first"
id=$(printf '%s' "$first" | grep -o 'run_[a-z0-9]*' | head -1)
config=$(curl -sS "$STRATA_URL/v1/runs/$id/config" -H "Authorization: Bearer $STRATA_API_KEY")
has 'The run says how the model was told.' '"structured_output":{"native":' "$config"

second=$(run "$UNFIT")
has 'An answer that does not fit fails the run …' '"code":"schema_unmet"' "$second"
has '… and what was said is kept.' '"partial":"' "$second"
echo 'structured ok'
