/**
 * A small team after a day, for pictures: people and agents write plain sentences, and the model
 * does what stands beside each.
 */

import { type Answer, answer, type WireRequest } from '../../src/testing/model-script.ts'
import { startModelServer } from '../../src/testing/model-server.ts'
import { askFor, type Host, until } from './host.ts'

const subagent = (label: string, task: string, agent = 'scout'): string =>
  `@spawn 1 ${JSON.stringify({ label, agent, task })}`

const SCRIPTS: Readonly<Record<string, string>> = {
  'Where do we round prices?':
    '@call content_search {"pattern": "rounding"}\n@say In `notes/rounding.md`: prices are whole cents. `src/price.ts`, line 12, rounds **after** the discount.',
  'Read the last change and say what is wrong with it.':
    '@call file_list {"path": "."}\n@say Two files changed. Both read well, and the test covers the discount of 100 %.',
  'Ask the vendor for the price list.': '@error invalid',
  'Nothing new since yesterday?': '@say Nothing new since yesterday.',
  'Count the open tickets.': '@say There are **14** open tickets, three of them older than a week.',
  'Find the fraction of a cent.': [
    '@reason The total is off by a fraction, so something is rounded too late.',
    '@text Three of us look at once: at prices, at the discount, and at what was delivered.',
    subagent('Prices', 'Look at what an unknown product costs.'),
    subagent('Discount', 'Look at what discounted() returns.'),
    subagent('Orders', 'List the orders of today.'),
    '@await',
    '@say Found: `discounted()` multiplies and does **not** round. It should round to whole cents; the other two places are as they should be.',
  ].join('\n'),
  'Look at what an unknown product costs.':
    '@slow 400\n@call content_search {"pattern": "unknown"}\n@say An unknown product costs **0**; nothing is rounded there.',
  'Look at what discounted() returns.':
    '@slow 900\n@call content_search {"pattern": "cents"}\n@say `discounted()` leaves fractions of a cent: `19.99 * 0.9` is 17.991.',
  'List the orders of today.': '@call file_list {"path": "orders"}\n@say Two orders.',
}
const PART = /^Check part (\d+)\.$/

function scriptFor(text: string): string {
  const [, above = '', task = text] = /^(Context:\n[\s\S]*\n\nTask:\n)([\s\S]*)$/.exec(text) ?? []
  const [, part] = PART.exec(task) ?? []
  if (part !== undefined) {
    return Number(part) % 9 === 4 ? '@error broken' : `@say Part ${part} is as it should be.`
  }
  return task in SCRIPTS ? `${above}${SCRIPTS[task]}` : text
}

/** Sentences of people become scripts before the model sees them. */
function scripted<T>(value: T): T {
  if (typeof value === 'string') return scriptFor(value) as T
  if (Array.isArray(value)) return value.map(scripted) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, scripted(one)])) as T
}

const spoken = (request: WireRequest): WireRequest => ({
  ...request,
  messages: request.messages.map((one) => (one.role === 'user' ? scripted(one) : one)),
})

/** The scripted model counts results while it waits; a person would say less. */
const said = (given: Answer): Answer =>
  given.text.startsWith('waiting for ') ? { ...given, text: 'I wait for all three.' } : given

export const startStoryModel = () =>
  startModelServer({ script: (request) => said(answer(spoken(request))) })

const SCOUT = `---
name: scout
description: Looks for one thing and says where it is.
tools: file_read, file_list, content_search
---
You look for one thing at a time. Name the file and the line.
`
const REVIEWER = `---
name: reviewer
description: Reads a change and says the most important thing first.
tools: file_read, content_search
---
You read the whole change before you say anything.
`
const SKILL = `---
name: code-review
description: How changes are read here.
---
Read the whole change first. Say the most important thing first.
`
const MCP = JSON.stringify(
  { mcpServers: { tracker: { type: 'http', url: 'http://127.0.0.1:9/mcp' } } },
  null,
  2,
)

async function fillLayers({ api }: Host): Promise<void> {
  await api.files.put('base/.agents/agents/scout.md', SCOUT)
  await api.files.put('base/.agents/agents/reviewer.md', REVIEWER)
  await api.files.put('base/.agents/skills/code-review/SKILL.md', SKILL)
  await api.files.put('base/.mcp.json', MCP)
  await api.files.put('base/AGENTS.md', '# The shop\n\nPrices are whole cents.\n')
  await api.files.put('base/notes/rounding.md', '# rounding\n\nPrices are whole cents.\n')
  await api.memory.put('shared/prices.md', {
    content: '# Prices\n\n- Prices are whole cents.\n- Rounding comes after the discount.\n',
  })
  await api.memory.put('agents/scout/places.md', {
    content: '# Where things are\n\n- Prices: src/price.ts\n',
  })
}

async function fillDoors({ api }: Host): Promise<void> {
  await api.schedules.create({
    ...{ name: 'every-morning', cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
    input: 'Nothing new since yesterday?',
  })
  const { id: endpoint } = await api.webhookEndpoints.create({ url: 'http://127.0.0.1:9/hook' })
  await api.webhookEndpoints.test(endpoint, {})
  await api.hooks.create({ scheme: 'github', template: 'Look at {{issue.title}}' })
  await api.keys.create({ name: 'CI', scopes: ['runs:*'] })
  await api.secrets.put('TRACKER_TOKEN', {
    value: 'of the story',
    hosts: ['tracker.example.com'],
  } as never)
}

/** The vendor's prices, so that all of it costs something. */
async function priced({ api }: Host): Promise<void> {
  const { policy, etag } = await api.policy.read()
  const prices = { 'openai/scripted': { input_per_million: 300, output_per_million: 1_500 } }
  await api.policy.put({ ...policy, prices } as never, { ifMatch: etag ?? '' })
}

/** Fills the tenant; answers with the paths of all pages by their names. */
export async function tellStory(host: Host): Promise<Record<string, string>> {
  const { api } = host
  await priced(host)
  await fillLayers(host)
  await fillDoors(host)
  for (const [label, input] of [
    ['Rounding', 'Where do we round prices?'],
    ['Tickets', 'Count the open tickets.'],
    ['Last change', 'Read the last change and say what is wrong with it.'],
    ['Price list', 'Ask the vendor for the price list.'],
  ] as const)
    await api.runs.createAndWait({ input, label, agent: 'scout' })
  const tasks = Array.from({ length: 40 }, (_, at) => ({
    ...{ task: `Check part ${at}.`, label: `Part ${at}`, agent: 'scout' },
  }))
  const fanout = await api.fanouts.create({ label: 'Check every part', tasks } as never)
  await api.fanouts.wait(fanout.id, { forMs: 60_000 })
  const over = await api.runs.createAndWait({
    ...{ input: 'Find the fraction of a cent.', label: 'Yesterday’s fraction of a cent' },
  })
  await askFor(host, 'file_list')
  const run = await api.runs.create({
    ...{ input: 'Find the fraction of a cent.', label: 'Find the fraction of a cent' },
  })
  await until('an approval waits', async () => (await api.approvals.list({})).data.length > 0)
  const ended = async () =>
    (await api.runs.children(run.id, {})).data.filter(({ status }) => status === 'completed')
  await until('two have ended', async () => (await ended()).length >= 2)
  const [child] = await ended()
  return {
    'chat-new': '',
    chat: `chat/${run.session_id}`,
    'chat-over': `chat/${over.session_id}`,
    'chat-panel': `chat/${run.session_id}?open=${child?.id}`,
    runs: 'runs',
    run: `runs/${over.id}`,
    timeline: `runs/${over.id}?tab=timeline`,
    events: `runs/${over.id}?tab=events`,
    transcript: `runs/${over.id}?tab=transcript`,
    config: `runs/${over.id}?tab=config`,
    json: `runs/${over.id}?tab=json`,
    'runs-nothing': 'runs?q=nothing%20like%20it',
    fanouts: 'fanouts',
    fanout: `fanouts/${fanout.id}`,
    approvals: 'approvals',
    'layers-none': 'layers',
    layers: 'layers/base/.agents/agents/scout.md',
    effective: 'layers?tab=effective',
    import: 'layers?tab=import',
    migrate: 'layers?tab=migrate',
    webhooks: 'webhooks',
    deliveries: 'webhooks/deliveries',
    hooks: 'webhooks/hooks',
    schedules: 'schedules',
    memory: 'memory',
    usage: 'usage',
    keys: 'settings/keys',
    secrets: 'settings/secrets',
    policy: 'settings/policy',
    audit: 'settings/audit',
    limits: 'settings/limits',
    quotas: 'settings/quotas',
    browser: 'settings/browser',
  }
}
