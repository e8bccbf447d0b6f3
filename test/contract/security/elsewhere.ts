/** Rows of the list of security cases that no request shows, each with the reason and its test. */

interface Elsewhere {
  readonly because: string
  readonly test: string
}

const WITHIN_A_RUN = 'It is about the conversation of a run, whose API answers are no different.'
const NODE_SOCKET = 'Only Node resolves names and opens sockets itself.'
const TIME = 'It takes hours or days of a clock that the test moves.'

const SKILLS = 'test/unit/engine/tools/skills.test.ts'
const OUTBOUND = 'test/unit/hosts/node/outbound.test.ts'
const EGRESS = 'test/e2e/egress.test.ts'
const LEDGER = 'test/unit/engine/run/tool-ledger.test.ts'
const STREAM = 'test/unit/http/request/stream.test.ts'

const all = (rows: readonly string[], because: string, test: string) =>
  Object.fromEntries(rows.map((row) => [row, { because, test }]))

export const ELSEWHERE: Readonly<Record<string, Elsewhere>> = {
  ...all(['M30', 'M31', 'M32'], WITHIN_A_RUN, SKILLS),
  ...all(
    ['J02'],
    'HTTP parsers cut the body or close the connection.',
    'test/e2e/bad-input.test.ts',
  ),
  ...all(
    ['D12'],
    'Storage must fail in the middle of a request.',
    'test/unit/http/request/idempotency.test.ts',
  ),
  ...all(['U14', 'U15', 'U16', 'U17'], NODE_SOCKET, OUTBOUND),
  ...all(
    ['U18', 'U19', 'U27', 'U28', 'U29', 'U30', 'U34'],
    'It is about the answers of receivers, which are cut or refused after minutes.',
    OUTBOUND,
  ),
  ...all(['U20'], WITHIN_A_RUN, 'test/e2e/web-addresses.test.ts'),
  ...all(['U32'], 'It needs an authorization server.', 'test/e2e/oauth.test.ts'),
  ...all(['U33', 'U35', 'A23'], 'It is about requests that leave the deployment.', EGRESS),
  ...all(['A04', 'A09'], WITHIN_A_RUN, 'test/unit/core/tools/schema.test.ts'),
  ...all(['A07'], 'It is about the answers of an MCP server.', 'test/unit/hosts/web/mcp.test.ts'),
  ...all(['A10'], 'It is a rule of the build.', 'test/platforms/cloudflare/bundle.test.ts'),
  ...all(['A12'], WITHIN_A_RUN, 'test/unit/engine/tools/tools.test.ts'),
  ...all(['A16', 'A30'], WITHIN_A_RUN, LEDGER),
  ...all(
    ['A17'],
    'It is about the requests of an MCP server.',
    'test/unit/hosts/web/mcp-servers.test.ts',
  ),
  ...all(
    ['A18'],
    'It is about streams of an MCP server.',
    'test/unit/hosts/web/mcp-streams.test.ts',
  ),
  ...all(['A19'], WITHIN_A_RUN, 'test/unit/engine/run/subagents-full.test.ts'),
  ...all(
    ['A20'],
    'It is about the prompt of a run that a hook starts.',
    'test/unit/http/webhooks/hooks.test.ts',
  ),
  ...all(['H06'], 'It is about the rows of the store.', 'test/unit/engine/tenant/keys.test.ts'),
  ...all(['H17'], 'Only the platform sends wakes.', 'test/unit/engine/forged-wake.test.ts'),
  ...all(['H23'], 'It is about the log of the operator.', 'test/e2e/log.test.ts'),
  ...all(['H25'], 'It is about time, not about an answer.', 'test/unit/lib/equal-secret.test.ts'),
  ...all(['C05'], TIME, 'test/unit/http/runs/runs.test.ts'),
  ...all(['C12'], 'It needs a model that writes such text.', 'test/e2e/sse.test.ts'),
  ...all(['C13', 'C14'], TIME, STREAM),
  ...all(['C15'], TIME, 'test/unit/http/tenant/keys.test.ts'),
  ...all(['S03'], 'It takes 1,000 schedules.', 'test/unit/http/schedules/schedules.test.ts'),
  ...all(['S04'], TIME, 'test/unit/core/schedule/when.test.ts'),
  ...all(['S05'], TIME, 'test/unit/http/schedules/schedules.test.ts'),
  ...all(['Z06'], 'It takes 100,000 files.', 'test/hostile/siege/attacks/files.ts'),
  ...all(['Z07'], WITHIN_A_RUN, 'test/unit/engine/run/compaction.test.ts'),
}
