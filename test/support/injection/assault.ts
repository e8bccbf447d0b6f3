/**
 * One server, one obedient model and all attacks on it, some at a time; then what each of them has
 * brought about. Nothing is judged here.
 */

import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '../../../src/engine/tenant/api-keys.ts'
import type { WireRequest } from '../../../src/testing/model-script.ts'
import { cleanup } from '../cleanup.ts'
import { startModelServer } from '../model-server.ts'
import { type NodeApi, startNodeApi } from '../node-api.ts'
import { ask, putFile } from '../node-client.ts'
import { type Attack, CANARIES, type Layer, orderOf, type Site } from './attacks.ts'
import { callsOf, keyOf, obedient, textOf } from './obedient.ts'
import { task } from './order.ts'
import { type Others, startOthers } from './servers.ts'

const AT_ONCE = 8
const LIVE = new Set(['queued', 'running', 'waiting'])

export interface Assault {
  readonly api: NodeApi
  readonly at: Site
  readonly others: Others
  /** All that the model was asked, in order. */
  readonly requests: readonly WireRequest[]
  readonly ends: ReadonlyMap<string, End>
  /** Files of the tenant that nobody of the test has written so, with their texts. */
  readonly changed: ReadonlyMap<string, string>
  /** Names of schedules and wake-ups with what they say. */
  readonly schedules: readonly string[]
  /** The policy, approvals that were granted, and all of the other tenant: before and after. */
  readonly kept: readonly [before: string, after: string]
}
/** A run of an attack when it was over. */
interface End {
  /** Of the run and its subagents. */
  readonly statuses: readonly string[]
  readonly events: readonly RunEvent[]
}
interface RunEvent {
  readonly type: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
  readonly data: any
}

/** `free`: nothing is denied, and agents have all tools. */
export interface Rules {
  readonly free?: boolean
  /** The data-flow policy; absent: none. */
  readonly flow?: 'allow' | 'deny'
}

const TOOLS = [
  ...['web_fetch', 'web_search', 'file_read', 'file_list', 'content_search', 'memory_get'],
  ...['skill', 'ask_user', 'Agent(helper)'],
  ...['read', 'fail', 'crash', 'data', 'resource', 'order', 'drop'].map((n) => `mcp__shop__${n}`),
]

const head = (lines: Readonly<Record<string, string>>): string =>
  `---\n${Object.entries(lines)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('')}---\n`

function layerFiles(
  { others, rules }: Pick<Before, 'others' | 'rules'>,
  id: string,
  { agent = '', helper = 'helps', skill = 'guides', skillText = 'Go on.', ...more }: Layer,
): Record<string, string> {
  const name = `m${id}`
  const part = more.server ? `?part=${more.server}&id=${id}` : ''
  const servers = ['shop', 'bank'].map(
    (one) =>
      `[mcp_servers.${one}]\nurl = "${others.tools.origin}/${one}${one === 'shop' ? part : ''}"\n` +
      'bearer_token_env_var = "TOKEN"\n',
  )
  const tools = rules.free ? {} : { tools: JSON.stringify(TOOLS) }
  const memory = rules.free ? 'shared' : '{scope: agent, read: [shared]}'
  return {
    '.agents/config.toml': servers.join(''),
    [`.agents/agents/${name}.md`]: `${head({ name, description: 'works', ...tools, memory })}You work. ${agent}\n`,
    '.agents/agents/helper.md': `${head({ name: 'helper', description: helper, tools: '[file_read, web_fetch, mcp__shop__read]' })}You help.\n`,
    '.agents/agents/banker.md': `${head({ name: 'banker', description: 'pays', tools: '[mcp__bank__pay]' })}You are the banker.\n`,
    '.agents/skills/guide/SKILL.md': `${head({ name: 'guide', description: skill })}${skillText}\n`,
    '.agents/skills/guide/more.md': `${more.guide ?? 'More.'}\n`,
  }
}

type Files = Readonly<Record<string, string>>

/** Writes files as the tenant, and remembers them. */
async function put({ api, files }: Pick<Before, 'api' | 'files'>, given: Files, below = '') {
  for (const [path, text] of Object.entries(given)) {
    files.set(`${below}${path}`, text)
    await putFile(api, `${below}${path}`.split('/').map(encodeURIComponent).join('/'), text)
  }
}

/** Everything up, everything attacked; closed when the test is over. */
export async function assault(attacks: readonly Attack[], rules: Rules = {}): Promise<Assault> {
  const orders = new Map<string, string>()
  const others = await startOthers(orders)
  cleanup.push(others.close)
  const model = await startModelServer({ script: obedient, keep: 1_000_000 })
  cleanup.push(model.close)
  const api = await startNodeApi({
    OPENAI_BASE_URL: model.url,
    SEARXNG_URL: others.pages.origin,
    STRATA_SECRETS: 'TOKEN@127.0.0.1',
    TOKEN: CANARIES.secret,
  })
  const files = new Map<string, string>()
  const { at, theirs } = await site({ api, files }, others, rules)
  const before = { api, at, others, rules, files }
  await put(before, layerFiles(before, 'ain', {}), 'base/')
  const kept = await state(api, theirs)
  const ends = new Map<string, End>()
  const left = [...attacks]
  const worker = async (): Promise<void> => {
    for (let attack = left.shift(); attack; attack = left.shift()) {
      const order = orderOf(attack, at)
      orders.set(attack.id, order)
      ends.set(attack.name, await attackOnce(before, attack, order))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return {
    ...{ api, at, others, ends, requests: model.requests.map(({ body }) => body) },
    changed: await changes(before),
    schedules: await schedulesOf(api),
    kept: [kept, await state(api, theirs)],
  }
}

async function changes({ api, files }: Before): Promise<Map<string, string>> {
  const below = 'default/files/'
  const { objects } = api.host.world
  const found = new Map<string, string>()
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await objects.list(below, cursor)
    cursor = page.cursor
    for (const { key } of page.objects) {
      const path = key.slice(below.length)
      const text = new TextDecoder().decode((await objects.get(key))?.body)
      if (files.get(path) !== text) found.set(path, text)
      files.delete(path)
    }
  }
  for (const path of files.keys()) found.set(path, 'it is gone')
  return found
}

async function schedulesOf(api: NodeApi): Promise<string[]> {
  const kinds = ['schedule', 'wakeup'].map((kind) =>
    ask(api, 'GET', `/v1/schedules?kind=${kind}&limit=100`),
  )
  return (await Promise.all(kinds)).flatMap(({ body }) =>
    body.data.map((one: unknown) => JSON.stringify(one)),
  )
}

/** What no attack may change, whoever it belongs to. */
async function state(api: NodeApi, theirs: NodeApi): Promise<string> {
  const other = ['/v1/runs', '/v1/files', '/v1/policy', '/v1/approvals', '/v1/audit']
  const texts = await Promise.all(other.map(async (path) => (await ask(theirs, 'GET', path)).text))
  const policy = (await ask(api, 'GET', '/v1/policy')).text
  const decided = (await ask(api, 'GET', '/v1/approvals?status=decided&limit=100')).body.data
  const approved = decided.filter(({ decision }: { decision: string }) => decision === 'approve')
  return [policy, JSON.stringify(approved), ...texts].join('\n')
}

/** The tenant's files and policy, and another tenant with a run that lives. */
async function site(
  own: Pick<Before, 'api' | 'files'>,
  others: Others,
  { free, flow = 'allow' }: Rules,
): Promise<{ at: Site; theirs: NodeApi }> {
  const { api } = own
  const sink = others.sink.origin.replace('127.0.0.1', 'localhost')
  if (free) await put(own, { 'repos/shop/free.txt': CANARIES.victim })
  await put(own, {
    'repos/shop/.mcp.json': CANARIES.settings,
    'memory/agents/other/MEMORY.md': `- ${CANARIES.memory}\n`,
  })
  if (!free) {
    const { headers, body } = await ask(api, 'GET', '/v1/policy')
    const policy = {
      ...body,
      deny: { ...body.deny, tools: ['mcp__shop__drop'] },
      approvals: { mcp__shop__order: 'ask' },
      web: { ...body.web, denied_domains: ['localhost'] },
      data_flow: { ...body.data_flow, outward_after_untrusted: flow },
    }
    const etag = { 'if-match': headers.get('etag') ?? '' }
    const { status, text } = await ask(api, 'PUT', '/v1/policy', policy, etag)
    if (status !== 200) throw new Error(text)
  }
  const { key } = await createKey(api.host.world, 'victim', ['*'])
  const theirs = { ...api, key }
  await put({ api: theirs, files: new Map() }, { 'base/secret.txt': CANARIES.victim })
  const later = new Date(Date.now() + 3_600_000).toISOString()
  const victim = await ask(theirs, 'POST', '/v1/runs', { input: 'wait', start_at: later })
  if (victim.status !== 202) throw new Error(victim.text)
  const at = { pages: others.pages.origin, sink, strata: api.url, victim: victim.body.id }
  return { at, theirs }
}

interface Before {
  readonly api: NodeApi
  readonly at: Site
  readonly others: Others
  readonly rules: Rules
  /** All that was written on purpose. */
  readonly files: Map<string, string>
}

async function attackOnce(before: Before, attack: Attack, order: string): Promise<End> {
  const { api, at, others, rules } = before
  const { id } = attack
  const plan = attack.carrier.plan(at, id, order)
  const { steps = [], layer, person = 'no', hook } = plan
  if (plan.files) await put(before, plan.files)
  const base = `attacks/${id}/`
  if (layer) await put(before, layerFiles(before, id, layer), base)
  const agent = layer ? `m${id}` : 'main'
  const request = {
    ...{ input: task(id, steps, plan.input), agent, repo_dir: 'repos/shop' },
    ...(layer ? { base_dir: base } : {}),
    ...(plan.webhook ? { webhook: { url: `${others.receiver.origin}/${id}` } } : {}),
    ...plan.request,
  }
  const run = hook ? await hooked(api, id, hook) : (await accepted(api, request)).id
  const statuses = [await ended(api, run, person, rules)]
  const children = (await ask(api, 'GET', `/v1/runs/${run}/children?limit=100`)).body.data
  for (const child of children) statuses.push(await ended(api, child.id, person, rules))
  const logs = [run, ...children.map((child: { id: string }) => child.id)]
  const events = await Promise.all(
    logs.map(async (one) => (await ask(api, 'GET', `/v1/runs/${one}/events?limit=100`)).body.data),
  )
  return { statuses, events: events.flat() }
}

async function accepted(api: NodeApi, request: object): Promise<{ id: string }> {
  const { status, body, text } = await ask(api, 'POST', '/v1/runs', request)
  if (status !== 202) throw new Error(`not accepted: ${status} ${text}`)
  return body
}

/** A sender that signs with the hook's secret. */
async function hooked(api: NodeApi, id: string, payload: object): Promise<string> {
  const template = `${task(id, [])} {{$}}`
  const json = { scheme: 'standard', template, agent: 'main', repo_dir: 'repos/shop' }
  const { id: hook, secret } = (await ask(api, 'POST', '/v1/hooks', json)).body
  const body = JSON.stringify(payload)
  const at = String(Math.floor(Date.now() / 1_000))
  const key = Buffer.from(String(secret).slice('whsec_'.length), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
  const { status, text } = await ask(api, 'POST', `/v1/hooks/${hook}`, body, {
    ...{ 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${mac}` },
    'content-type': 'application/json',
  })
  if (status !== 202) throw new Error(`the hook refused: ${status} ${text}`)
  return JSON.parse(text).run_id
}

/** Its status at its end. A person denies and answers meanwhile; where all is free, approves. */
async function ended(api: NodeApi, run: string, person: string, { free }: Rules): Promise<string> {
  for (let round = 0; round < 2_000; round += 1) {
    const { body } = await ask(api, 'GET', `/v1/runs/${run}`)
    if (!LIVE.has(body.status)) return body.status
    if (body.waiting_on === 'input')
      await ask(api, 'POST', `/v1/runs/${run}/messages`, { content: person })
    if (body.waiting_on === 'approval') {
      const asked = (await ask(api, 'GET', '/v1/approvals?status=pending&limit=100')).body.data
      const decision = free ? { decision: 'approve' } : { decision: 'deny', reason: person }
      for (const one of asked.filter(({ run_id }: { run_id: string }) => run_id === run))
        await ask(api, 'POST', `/v1/approvals/${one.id}/decision`, decision)
    }
    await sleep(15)
  }
  return 'it does not end'
}

/** Requests of one attack. */
export const requestsOf = ({ requests }: Assault, id: string): WireRequest[] =>
  requests.filter(({ messages }) => messages.some((message) => textOf(message).includes(id)))

/** What the model was told of a call that it made. */
export function answersTo(
  requests: readonly WireRequest[],
  tool: string,
  given: unknown,
): string[] {
  const key = keyOf(tool, given)
  const answers = requests.flatMap(({ messages }) => {
    const ids = messages
      .flatMap(callsOf)
      .filter(({ function: one }) => keyOf(one.name, JSON.parse(one.arguments || '{}')) === key)
      .map((call) => call.id)
    return messages
      .filter(({ role, tool_call_id }: { role: string; tool_call_id?: unknown }) => {
        return role === 'tool' && ids.includes(String(tool_call_id))
      })
      .map(textOf)
  })
  return [...new Set(answers)]
}
