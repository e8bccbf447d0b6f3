#!/bin/sh
# A fan-out from CI: one task for each file that a change touches, one closing run that sees all
# results, and an exit status that the pipeline can use. Nothing but curl.
#
#   STRATA_URL=http://127.0.0.1:8787 STRATA_API_KEY=strata_… sh examples/fanout-ci.sh a.ts b.ts
#
# In a pipeline the files are `git diff --name-only origin/main`, the key lies in a secret, and the
# Idempotency-Key is the id of the job, so that a job that is run again asks for nothing twice. TASK
# and THEN are scripts for the model of test/support/model-server.ts; for a real one write sentences.
set -eu
: "${STRATA_URL:?where Strata answers}" "${STRATA_API_KEY:?an API key}"
[ $# -gt 0 ] || set -- src/app.ts src/math.ts

TASK=${TASK:-'@say Reviewed'}
THEN=${THEN:-'@say All files are reviewed.'}
JOB=${CI_JOB_ID:-fanout-ci-$$-$(date +%s)}

tasks=
for file in "$@"; do
  tasks="$tasks${tasks:+,}{\"task\":\"$TASK $file\",\"label\":\"$file\"}"
done
body="{\"tasks\":[$tasks],\"then\":{\"input\":\"$THEN\"},\"limits\":{\"max_model_calls\":50}}"

# api METHOD PATH [BODY]: one request; a refusal ends the script.
api() {
  curl -sS --fail-with-body -X "$1" "$STRATA_URL$2" -H "Authorization: Bearer $STRATA_API_KEY" \
    -H 'Content-Type: application/json' ${3:+-H "Idempotency-Key: $JOB" --data "$3"}
}

fan=$(api POST /v1/fanouts "$body" | grep -o 'fan_[a-z0-9]*' | head -1)
echo "$# files are looked at."
again=$(api POST /v1/fanouts "$body" | grep -o 'fan_[a-z0-9]*' | head -1)
[ "$again" = "$fan" ] && echo 'The same job again is the same fan-out.'
for _ in 1 2 3 4 5 6 7 8 9 10; do
  shown=$(api GET "/v1/fanouts/$fan?wait=60")
  case $shown in *'"status":"running"'* | *'"status":"queued"'* | *'"status":"waiting"'*) ;; *) break ;; esac
done
case $shown in
*'"status":"completed"'*) echo 'All of them were.' ;;
*) echo "The fan-out did not complete: $shown" && exit 1 ;;
esac
case $(api GET "/v1/fanouts/$fan/tasks?limit=100") in
*'"status":"failed"'*) echo 'A task has failed.' && exit 1 ;;
esac
echo 'fanout-ci ok'
