/** A support desk after a morning, for pictures: people write plain sentences, a script answers. */

import { createClient } from '../../src/client/index.ts'
import { type Answer, answer, type WireRequest } from '../../src/testing/model-script.ts'
import { startModelServer } from '../../src/testing/model-server.ts'
import { createRun, runToEnd, type Server } from '../support/launch.ts'
import { until } from '../support/patience.ts'

const subagent = (label: string, agent: string, task: string): string =>
  `@spawn 1 ${JSON.stringify({ label, agent, task })}`

const ORDER = '48213'
const REFUND = `Order ${ORDER} arrived broken. The customer asks for a refund. Is our price right, and may we pay it back?`
const PRICES = 'Audit src/price.ts for rounding.'
const REVIEW = 'Where can a fraction of a cent appear?'
const DRAFT = `Draft the answer to the customer of order ${ORDER}.`

const QUESTION = 'Settle ticket 7755.'

const NIGHT = 'Which tickets of the night are open?'

const SCRIPTS: Readonly<Record<string, string>> = {
  [QUESTION]: [
    `@call ask_user ${JSON.stringify({
      question: 'Refund 42.00 EUR, or send the order again?',
      choices: [{ label: 'Refund' }, { label: 'Send again' }],
    })}`,
    '@say Done.',
  ].join('\n'),
  'Ask the vendor for the price list.': '@fail 400',
  [NIGHT]: [
    ...['@text I read the log of the night.', '@call file_read {"path": "night.md"}', '@then'],
    ...['@call content_search {"pattern": "open"}', '@then', '@say Two tickets are open.'],
  ].join('\n'),
  [REFUND]: [
    '@reason The refund depends on the price that was charged, so the rounding matters.',
    `@text I look the order up, and let three agents check the price, the code and the answer.`,
    `@call file_read {"path": "orders/${ORDER}.json"}`,
    '@call todo {"todos": [{"content": "Look the order up", "activeForm": "Looking the order up", "status": "completed"}, {"content": "Check the price", "activeForm": "Checking the price", "status": "in_progress"}, {"content": "Answer the customer", "activeForm": "Answering", "status": "pending"}]}',
    subagent('price-auditor', 'scout', PRICES),
    subagent('reviewer', 'scout', REVIEW),
    subagent('message', 'writer', DRAFT),
    '@await',
    [
      '@say The charge was **one cent too high**: `discounted()` rounds after the tax. The refund of',
      ' **$42.00** is allowed by the policy, and the answer is ready in `refund.txt`.',
    ].join(''),
  ].join('\n'),
  [PRICES]: [
    '@call content_search {"pattern": "cents"}',
    '@call content_search {"pattern": "priceOf"}',
    '@say An unknown product costs **0**: `priceOf` falls back to it. Nothing is rounded there.',
  ].join('\n'),
  [REVIEW]: [
    '@call content_search {"pattern": "round"}',
    '@say `discounted()` multiplies and does not round: `19.99 * 0.9` is 17.991.',
  ].join('\n'),
  [DRAFT]: [
    `@call file_write {"path": "refund.txt", "content": "Dear customer,\\nwe are sorry that order ${ORDER} arrived broken. We pay back 42.00 USD today."}`,
    '@say The answer is in `refund.txt`.',
  ].join('\n'),
}

/** A script's `@say` is one line, so longer answers are written here. */
const TEXTS: Readonly<Record<string, string>> = {
  'Write the digest of the night.': [
    'Three tickets came in, and **two** are closed.',
    '',
    '| ticket | about | state |',
    '|---|---|---|',
    '| 7731 | parcel without label | closed |',
    '| 7755 | refund of order 48102 | closed |',
    '| 7760 | login by SSO | waits for the customer |',
    '',
    '1. Label printing stopped at 02:14 and came back by itself.',
    '2. No customer asked for a refund above 100 EUR.',
    '',
    '```ts',
    'export const discounted = (cents: number) => Math.round(cents * 0.9)',
    '```',
    '',
    'The log is at [status.example.com](https://status.example.com/night).',
  ].join('\n'),
}

function scriptFor(text: string): string {
  const [, above = '', task = text] = /^(Context:\n[\s\S]*\n\nTask:\n)([\s\S]*)$/.exec(text) ?? []
  return task in SCRIPTS ? `${above}${SCRIPTS[task]}` : text
}

/** Sentences become scripts before the scripted model reads them. */
function scripted<T>(value: T): T {
  if (typeof value === 'string') return scriptFor(value) as T
  if (Array.isArray(value)) return value.map(scripted) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, scripted(one)])) as T
}

function answerStory(request: WireRequest): Answer {
  const written = request.messages.flatMap(({ content }) => TEXTS[String(content)] ?? [])[0]
  const messages = request.messages.map((one) => (one.role === 'user' ? scripted(one) : one))
  const given = answer({ ...request, messages })
  if (written) return { ...given, text: written }
  return given.text.startsWith('waiting for ')
    ? { ...given, text: 'Two of three are done.' }
    : given
}

export const startStoryModel = () => startModelServer({ script: answerStory })

const agent = (name: string, description: string, tools: string): string =>
  `---\nname: ${name}\ndescription: ${description}\ntools: ${tools}\n---\nNo more than asked.\n`

const skill = (name: string, description: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nNo more than asked.\n`

async function fillLayers(server: Server): Promise<void> {
  const api = createClient({ url: server.url, apiKey: server.key })
  const files: Readonly<Record<string, string>> = {
    'base/.agents/agents/triage.md': agent(
      'triage',
      'Answers tickets.',
      'file_read, todo, sessions_spawn, content_search',
    ),
    'base/.agents/agents/scout.md': agent(
      'scout',
      'Looks for one thing and says where it is.',
      'file_read, content_search',
    ),
    'base/.agents/agents/writer.md': agent('writer', 'Writes to customers.', 'file_write'),
    'base/.agents/skills/labels/SKILL.md': skill('labels', 'Prints the label of a parcel.'),
    'repos/shop/.agents/skills/labels/SKILL.md': skill('labels', 'Prints labels of the shop.'),
    'base/.agents/skills/browser/SKILL.md': skill(
      'browser',
      'Opens a page and reads it.\nmetadata: {requires: {bins: [chromium-of-the-desk]}}',
    ),
    'base/.agents/schedules/digest.md':
      '---\ncron: "0 2 * * *"\nagent: scout\n---\nWrite the digest of the night.\n',
    'base/.agents/config.toml': [
      '[mcp_servers.docs]',
      'url = "https://docs.shop.example/mcp"',
      'enabled = false',
      '',
      '[mcp_servers.erp]',
      'url = "https://erp.shop.example/mcp"',
      'bearer_token_env_var = "ERP_TOKEN"',
    ].join('\n'),
    'imports/helpdesk/.claude/agents/triage.md': agent('triage', 'Sorts tickets.', 'Read, Refund'),
    'imports/helpdesk/.agents/skills/labels/SKILL.md': skill('labels', 'Prints all labels.'),
    'imports/helpdesk/.agents/skills/parcels/SKILL.md': skill('parcels', 'Tracks parcels.'),
    'imports/helpdesk/.agents/skills/old/SKILL.md': '---\nname: [\n---\nBroken.\n',
    'imports/helpdesk/.mcp.json': '{"mcpServers": {"desk": {"command": "npx", "args": ["x"]}}}',
    'repos/shop/src/price.ts': 'export const priceOf = (cents: number) => cents ?? 0\n',
    [`repos/shop/orders/${ORDER}.json`]: JSON.stringify({ id: ORDER, total: '42.00' }),
  }
  for (const [path, text] of Object.entries(files)) await api.files.put(path, text)
  await api.policy.put(
    {
      approvals: { file_write: 'ask' },
      prices: { 'openai/scripted': { input_per_million: 3, output_per_million: 15 } },
    },
    { ifNoneMatch: '*' },
  )
}

interface Pair {
  readonly older: string
  readonly newer: string
}

/** Two runs with the same input; the agent and the log change between them. */
async function compareNights(server: Server): Promise<Pair> {
  const { files } = createClient({ url: server.url, apiKey: server.key })
  const write = async (prompt: string, tools: string, log: string): Promise<void> => {
    const head = `---\nname: night\ndescription: Watches the night.\ntools: ${tools}\n---\n`
    await files.put('base/.agents/agents/night.md', `${head}${prompt}`)
    await files.put('repos/shop/night.md', log)
  }
  const rules = 'You watch the tickets of the night.\nName each open ticket with its reason.\n'
  const log = '02:14 label printer stopped\n02:31 ticket 7755 open: refund of 42.00 EUR\n'
  const request = { input: NIGHT, agent: 'night', repo_dir: 'repos/shop' }
  await write(`${rules}Ask before you promise money.\n`, 'file_read, content_search', log)
  const older = await runToEnd(server, { ...request, label: 'night of Monday' })
  await write(
    `${rules}Ask before you promise more than 100 EUR.\nBe brief.\n`,
    'file_read, content_search, todo',
    `${log.replace('42.00', '420.00')}03:02 ticket 7760 open: login by SSO\n`,
  )
  const limits = { max_steps: 20 }
  const newer = await runToEnd(server, { ...request, limits, label: 'night of Tuesday' })
  return { older: older.id, newer: newer.id }
}

interface Child {
  readonly id: string
  readonly label: string
  readonly status: string
}

/** Fills the tenant. Returns the paths of pages below /console by their names. */
export async function tellStory(server: Server): Promise<Readonly<Record<string, string>>> {
  await fillLayers(server)
  const digest = await runToEnd(server, { input: 'Write the digest of the night.' })
  await runToEnd(server, { input: 'Where are the parcels of November?', agent: 'scout' })
  const archived = await runToEnd(server, { input: 'Which tickets of October are open?' })
  const change = { method: 'PATCH', json: { archived: true } }
  await server.get(`/v1/sessions/${archived.session_id}`, change)
  const failed = await runToEnd(server, {
    input: 'Ask the vendor for the price list.',
    agent: 'triage',
  })
  const tickets = Array.from({ length: 60 }, (_, index) => ({
    label: `ticket ${7_700 + index}`,
    task: index % 17 === 16 ? '@fail 400' : '@say {"refund": 42}',
  }))
  const fanout = await server.get<{ id: string }>('/v1/fanouts', {
    method: 'POST',
    json: { label: 'Tickets of the night', tasks: tickets, limits: { max_cost_usd: 5 } },
  })
  const question = await createRun(server, { input: QUESTION })
  const run = await createRun(server, { input: REFUND, agent: 'triage', repo_dir: 'repos/shop' })
  const path = `/v1/runs/${run.id}/children`
  const children = await until('two of three subagents have ended', async () => {
    const { data } = await server.get<{ data: readonly Child[] }>(path)
    const ended = data.filter(({ status }) => status === 'completed')
    return data.length === 3 && ended.length === 2 && data
  })
  await until('an approval waits', async () => {
    const { data } = await server.get<{ data: unknown[] }>('/v1/approvals')
    return data.length > 0
  })
  const nights = await compareNights(server)
  const auditor = children.find(({ label }) => label === 'price-auditor')
  return {
    new: '',
    chat: `chat/${run.session_id}`,
    approvals: 'approvals',
    panel: `chat/${run.session_id}?panel=${auditor?.id}`,
    digest: `chat/${digest.session_id}`,
    question: `chat/${question.session_id}`,
    failed: `chat/${failed.session_id}`,
    archived: `chat/${archived.session_id}?archived=true`,
    runs: 'runs',
    fanouts: 'fanouts',
    fanout: `fanouts/${fanout.id}`,
    'runs-found': 'runs?q=order&status=waiting,completed&agent=triage',
    effective: 'layers/effective?repo=repos%2Fshop&kind=skills',
    'effective-entry': 'layers/effective?repo=repos%2Fshop&kind=servers&name=docs',
    'effective-compare': 'layers/effective?cmp=repo%3Drepos%252Fshop',
    'effective-missing': 'layers/effective?repo=repos%2Fshop&kind=missing',
    import: 'layers/import',
    'import-plan': `layers/import?from=imports%2Fhelpdesk%2F&layer=base%2F&sel=${encodeURIComponent('.agents/skills/labels/SKILL.md')}`,
    missing: 'nowhere',
    run: `runs/${run.id}`,
    'run-selected': `runs/${run.id}?sel=${auditor?.id}.3`,
    'run-transcript': `runs/${run.id}?tab=transcript`,
    'run-events': `runs/${run.id}?tab=events&sel=${run.id}.3`,
    'run-given': `runs/${run.id}?tab=given`,
    'run-usage': `runs/${run.id}?tab=usage`,
    'run-compare': `runs/${nights.older}?tab=compare&with=${nights.newer}`,
    'run-compare-choose': `runs/${nights.older}?tab=compare`,
    'run-raw': `runs/${run.id}?tab=raw`,
    'run-failed': `runs/${failed.id}`,
  }
}
