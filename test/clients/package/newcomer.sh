#!/usr/bin/env bash
# Plays a newcomer with the packed package: bash test/clients/package/newcomer.sh strata-0.1.0.tgz
# Installs it into an empty folder, writes a layer, mistypes a tool, runs a skill's script behind an
# approval, answers a function over a killed server, and makes a dry run of a deployment. Prints a
# transcript; needs curl and jq.
set -euo pipefail
tarball=$(realpath "$1")
folder=$(mktemp -d)
port=${PORT:-18080}
dev=
stop() { if [ -n "$dev" ]; then kill -KILL -- "-$dev" 2>/dev/null || true; wait "$dev" 2>/dev/null || true; fi; dev=; }
trap 'stop; rm -rf "$folder"' EXIT
cd "$folder"
set -m

step() { printf '\n## %s\n' "$*"; }
start() {
  npx strata dev --port "$port" >>dev.log 2>&1 &
  dev=$!
  until curl -sf "http://127.0.0.1:$port/healthz" >/dev/null; do sleep 0.2; done
}
logged() { until grep -m1 "$1" dev.log; do sleep 0.2; done; }
api() { curl -sS -H "Authorization: Bearer $STRATA_API_KEY" "$STRATA_URL$1" "${@:2}"; }

step 'install'
npm init -y >/dev/null
npm install --no-fund --no-audit "$tarball" 2>&1 | grep added
echo "$(du -sm node_modules | cut -f1) MB installed"

step 'init, check, test'
npx strata init | head -3
npx strata check . | tail -1
npx strata test | tail -1

step 'dev, and a first run'
start
logged 'listens on'
export STRATA_URL=http://127.0.0.1:$port STRATA_API_KEY
STRATA_API_KEY=$(cat .data/dev-key)
npx strata run '@say Hello.' | tail -1

step 'a mistyped tool is reported when the file is saved'
printf -- '---\nname: scout\ndescription: Looks.\ntools: file_raed\n---\nYou look.\n' >base/.agents/agents/scout.md
logged 'file_raed'
rm base/.agents/agents/scout.md

step 'a skill with a script, behind an approval'
mkdir -p repos/shop/.agents/skills/count/scripts
printf -- '---\nname: count\ndescription: Counts lines.\n---\nRun scripts/count.sh.\n' >repos/shop/.agents/skills/count/SKILL.md
printf 'wc -l < "$1"\n' >repos/shop/.agents/skills/count/scripts/count.sh
printf 'one\ntwo\n' >repos/shop/list.txt
npx strata push repos/shop repos/shop | tail -1
run=$(api /v1/runs --json '{"repo_dir": "repos/shop", "input": "@call skill {\"name\":\"count\"}\n@then\n@call shell_execute {\"command\":\"bash .agents/skills/count/scripts/count.sh list.txt\"}\n@then\n@say {last}"}' | jq -r .id)
until approval=$(api /v1/approvals | jq -re '.data[0].id'); do sleep 0.2; done
npx strata approvals | tail -1 | cut -c1-160
npx strata approve "$approval" | sed 's/apr_[a-z0-9]*/apr_…/'
api "/v1/runs/$run?wait=30" | jq -r '.status, .output.text'

step 'a function of our own, with the server killed in between'
cat >answer.mjs <<'JS'
import { createClient } from 'strata/client'
const functions = { stock: { handler: ({ sku }) => ({ sku, count: 12 }) } }
const run = await createClient().runs.wait(process.argv[2], { functions })
console.log(run.status, run.output.text)
JS
run=$(api /v1/runs -H 'Prefer: wait=30' --json '{"input": "@call stock {\"sku\": \"MUG-7\"}\n@say {last}", "functions": [{"name": "stock"}]}' | jq -r .id)
api "/v1/runs/$run" | jq -c '[.status, .waiting_on]'
stop
echo 'the server is killed'
start
node answer.mjs "$run"

step 'the documentation page and the first request of the contract'
curl -s -o /dev/null -w '/docs: %{http_code}\n' "$STRATA_URL/docs"
curl -s "$STRATA_URL/openapi.json" | jq -c '.paths["/v1/runs"].post.requestBody.content["application/json"].examples | to_entries[0].value.value' >first.json
api /v1/runs --json @first.json | jq -c '{status, input}'

step 'deploy'
npx strata deploy cloudflare --dry-run >deploy.log 2>&1 && exit 1
cat deploy.log
$(grep -o 'npm install [^`]*' deploy.log | head -1) 2>&1 | grep added
npx strata deploy cloudflare --dry-run 2>&1 | grep 'dry run'
