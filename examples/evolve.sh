#!/bin/sh
# An agent extends itself: in one run it lists its skills, writes a new one and switches an MCP
# server on; its next run uses both. Nothing but curl.
#
# It allows the tools skills_put and mcp_set_enabled in the tenant's policy, which replaces the rest
# of that policy: run it against a server of your own to play with.
#
#   STRATA_URL=http://127.0.0.1:8787 STRATA_API_KEY=strata_… MCP_URL=http://127.0.0.1:3001/mcp \
#     sh examples/evolve.sh
#
# MCP_URL is a server with the tool `echo` (npx @modelcontextprotocol/server-everything
# streamableHttp); on a loopback address Strata needs ALLOW_LOOPBACK=true. The inputs below are
# scripts for the model of test/support/model-server.ts; for a real model set FIRST and SECOND to
# sentences that say the same.
set -eu
: "${STRATA_URL:?where Strata answers}" "${STRATA_API_KEY:?an API key}" "${MCP_URL:?an MCP server}"

FIRST=${FIRST:-'@call skills_list {}
@then
@call skills_put {"skill_name":"greeting","skill_md":"---\nname: greeting\ndescription: How we greet here\n---\nSay hello twice.\n"}
@call mcp_set_enabled {"name":"echo","enabled":true}
@then
@call mcp__echo__echo {"message":"too early"}
@say {last}'}
SECOND=${SECOND:-'@call skill {"name":"greeting"}
@call mcp__echo__echo {"message":"hello hello"}
@say {tools} tools, the last said: {last}'}

# api METHOD PATH [BODY] [HEADER]: one request; the answer goes to stdout, a refusal ends the script.
api() {
  curl -sS --fail-with-body -X "$1" "$STRATA_URL$2" -H "Authorization: Bearer $STRATA_API_KEY" \
    ${3:+-H 'Content-Type: application/json' --data "$3"} ${4:+-H "$4"}
}
# A text as a JSON string.
quote() {
  printf '%s' "$1" | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e '$!s/$/\\n/' | tr -d '\n'
}
run() {
  api POST /v1/runs "{\"input\":\"$(quote "$1")\"}" 'Prefer: wait=60'
}
# The value of a text member of the answer.
member() {
  printf '%s' "$2" | sed -n "s/.*\"$1\":\"\(\([^\"\\\\]\|\\\\.\)*\)\".*/\1/p"
}

echo '1. The policy lets models write skills and switch servers (the default is to ask a person).'
etag=$(curl -sS -D - -o /dev/null "$STRATA_URL/v1/policy" -H "Authorization: Bearer $STRATA_API_KEY" |
  tr -d '\r' | sed -n 's/^[Ee][Tt]ag: //p')
api PUT /v1/policy '{"approvals":{"skills_*":"allow","mcp_set_enabled":"allow"}}' \
  "If-Match: $etag" >/dev/null

echo '2. A server is there, switched off.'
api PUT /v1/mcp-servers/echo "{\"url\":\"$MCP_URL\",\"enabled\":false}" >/dev/null

echo '3. The first run lists its skills, writes one, switches the server on. Its own tools stay.'
first=$(run "$FIRST")
echo "   $(member text "$first")"
api GET /v1/skills | grep -q '"name":"greeting"'
api GET /v1/mcp-servers/echo | grep -q '"enabled":true'

echo '4. The next run has both.'
second=$(run "$SECOND")
echo "   $(member text "$second")"
test "$(member config_digest "$first")" != "$(member config_digest "$second")"
case $second in
*'"status":"completed"'*) echo "evolve ok: $(member text "$second")" ;;
*) echo 'evolve failed' && exit 1 ;;
esac
