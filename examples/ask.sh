#!/bin/sh
# A model that asks the user: the run waits for input with its clock stopped, and goes on with the
# answer, once sent to the run, once as the next input of its session. Nothing but curl.
#
#   STRATA_URL=http://127.0.0.1:8787 STRATA_API_KEY=strata_… sh examples/ask.sh
#
# The input below is a script for the model of test/support/model-server.ts; for a real model set ASK
# to a sentence like "Ask me for a colour, keep a list of what you do, and say what I chose."
set -eu
: "${STRATA_URL:?where Strata answers}" "${STRATA_API_KEY:?an API key}"

ASK=${ASK:-'@call todo {\"todos\":[{\"content\":\"Ask for the colour\",\"status\":\"in_progress\"}]}\n@then\n@call ask_user {\"question\":\"Which colour?\",\"choices\":[{\"label\":\"red\"},{\"label\":\"blue\"}]}\n@then\n@say You chose {last}.'}

# api METHOD PATH [BODY]: one request; a refusal ends the script.
api() {
  curl -sS --fail-with-body -X "$1" "$STRATA_URL$2" -H "Authorization: Bearer $STRATA_API_KEY" \
    -H 'Content-Type: application/json' ${3:+--data "$3"}
}
# has NAME TEXT RUN: says so and ends the script when the run does not hold the text.
has() {
  case $3 in
  *"$2"*) echo "$1" ;;
  *) echo "Failed: $1 The response does not contain $2: $3" && exit 1 ;;
  esac
}
# asked RUN: waits until it asks; the answer is the run.
asked() {
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    run=$(api GET "/v1/runs/$1")
    case $run in *'"waiting_on":"input"'*) break ;; esac
    sleep 1
  done
  printf '%s' "$run"
}

id=$(api POST /v1/runs "{\"input\":\"$ASK\"}" | grep -o 'run_[a-z0-9]*' | head -1)
has 'The run waits for input and shows its question …' '"question":"' "$(asked "$id")"
has '… and the list that it works by.' '"todos":[' "$(asked "$id")"
has 'A message is the answer.' '"answers":"call_' \
  "$(api POST "/v1/runs/$id/messages" '{"content":"blue"}')"
has 'The run has gone on with it.' '"text":"You chose blue."' \
  "$(api GET "/v1/runs/$id?wait=60")"

second=$(api POST /v1/runs "{\"input\":\"$ASK\"}" | grep -o 'run_[a-z0-9]*' | head -1)
asked "$second" >/dev/null
has 'An input of the session is an answer, too.' '"answered":{' \
  "$(api POST /v1/runs "{\"input\":\"red\",\"session_id\":\"ses_${second#run_}\"}")"
has 'That run has gone on, too.' '"text":"You chose red."' "$(api GET "/v1/runs/$second?wait=60")"
echo 'ask ok'
