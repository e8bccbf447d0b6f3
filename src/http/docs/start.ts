/** Start page of `/docs`, in Markdown: leads from a key to a fan-out with working commands. */

export const START = `
Five steps from an API key to a fan-out. Set your key under [Authentication](#auth); **TRY** then
sends the example of an operation. If a path requires an ID, paste one from the matching list.

### 1. Key

The server prints an API key when it first starts; \`POST /v1/keys\` creates more.

\`\`\`bash
export STRATA_URL=http://127.0.0.1:8787   # the origin of this page
export STRATA_API_KEY=strata_…
\`\`\`

### 2. Run

A run is one agent working on one task. The server returns the run ID once the run is durable:
[Create a run](#post-/v1/runs).

\`\`\`bash
curl -s "$STRATA_URL/v1/runs" \\
  -H "Authorization: Bearer $STRATA_API_KEY" -H 'Content-Type: application/json' \\
  -d '{"input": "Say hello."}'
\`\`\`

### 3. Wait

\`Prefer: wait=30\` delays the response until the run ends, for at most 30 seconds.

\`\`\`bash
curl -s "$STRATA_URL/v1/runs" -H 'Prefer: wait=30' \\
  -H "Authorization: Bearer $STRATA_API_KEY" -H 'Content-Type: application/json' \\
  -d '{"input": "Name the largest ocean."}'
\`\`\`

### 4. Stream

\`Accept: text/event-stream\` sends the events and the text of the run as they happen.

\`\`\`bash
curl -sN "$STRATA_URL/v1/runs" -H 'Accept: text/event-stream' \\
  -H "Authorization: Bearer $STRATA_API_KEY" -H 'Content-Type: application/json' \\
  -d '{"input": "Write two lines about the sea."}'
\`\`\`

### 5. Fan-out

One request starts many runs, and \`then\` starts one more run that reads their results:
[Start many tasks at once](#post-/v1/fanouts).

\`\`\`bash
FAN=$(curl -s "$STRATA_URL/v1/fanouts" \\
  -H "Authorization: Bearer $STRATA_API_KEY" -H 'Content-Type: application/json' \\
  -d '{"tasks": [{"task": "Name a river."}, {"task": "Name a lake."}],
       "then": {"input": "Compare them."}}' \\
  | grep -o 'fan_[a-z0-9]*' | head -1)
curl -s "$STRATA_URL/v1/fanouts/$FAN?wait=30" -H "Authorization: Bearer $STRATA_API_KEY"
\`\`\`

### Guides

The \`docs\` folder of the source has one guide per topic: \`api.md\` (sessions, schedules, memory,
files), \`fan-out.md\`, \`approvals.md\`, \`webhooks.md\`, \`layers.md\` (agents, skills, MCP servers),
and \`operate.md\`. This server also provides the [console](/console), the API contract as
[openapi.json](/openapi.json) and as a [page without scripts](/docs/plain), and
[llms.txt](/llms.txt) for language models.

### Conventions
`
