/**
 * A tenant that has some of everything: it configures, starts runs, looks at all of its lists, and
 * then asks for what another tenant has. Both tenants of a world use the same names and keys.
 */

import { CANARY } from '../world/canary.ts'
import { knownOf } from '../world/known.ts'
import type { Line } from '../world/line.ts'
import type { Belongings } from '../world/operations.ts'
import { APPROVALS, memoryOf } from '../world/setup.ts'
import { ENDPOINT_URL, type Sim } from '../world/sim.ts'
import { markOf } from '../world/tenants.ts'

interface Page {
  readonly data: readonly { readonly id?: string; readonly key_id?: string }[]
  readonly next_cursor: string | null
}

/** Lists whose items have ids, and lists of items with names. */
const LISTS = [
  ...['/v1/runs', '/v1/fanouts', '/v1/sessions', '/v1/approvals', '/v1/keys', '/v1/hooks'],
  ...['/v1/webhook-endpoints', '/v1/webhook-deliveries', '/v1/audit', '/v1/browser-sessions'],
  ...['/v1/schedules', '/v1/files', '/v1/memory', '/v1/secrets'],
]
const SINGLE = [
  ...['/v1/policy', '/v1/layers', '/v1/agents', '/v1/agents/helper', '/v1/models'],
  ...['/v1/files/notes.md', '/v1/file-versions?path=notes.md', '/v1/memory/search?query=zebra'],
]
const ENDED = /"status":"(?:completed|failed|cancelled|timed_out)"/
const ROUNDS = 40
const PAUSE_MS = 15_000

export class TenantClient {
  readonly #sim: Sim
  readonly #line: Line
  readonly #of: Belongings
  readonly #mark: string
  /** What was acknowledged of the configuration. */
  readonly #configured = new Set<string>()

  constructor(sim: Sim, line: Line, of: Belongings) {
    this.#sim = sim
    this.#line = line
    this.#of = of
    this.#mark = markOf(of.tenant)
  }

  async live(): Promise<void> {
    await this.#setPolicy()
    for (const [method, path, body] of this.#configuration()) await this.#write(method, path, body)
    const run = await this.#start()
    // A process remembers for a while what it has read for the tenant before.
    for (let round = 0; round < ROUNDS && run !== undefined; round += 1) {
      await this.#line.sleep(PAUSE_MS)
      const answer = await this.#line.ask(this.#of.tenant, 'GET', `/v1/runs/${run}`)
      if (answer && ENDED.test(await answer.response.text())) break
    }
    if (run !== undefined) await this.#readRun(run)
    for (const path of LISTS) await this.#list(path)
    for (const path of SINGLE) await (await this.#ask('GET', path))?.response.text()
    await this.#usage()
    await this.#askForOthers()
    await this.#ask('DELETE', '/v1/schedules/daily', undefined, 60)
  }

  #configuration(): readonly (readonly [string, string, object])[] {
    const mark = this.#mark
    const agent_md = `---\nname: helper\ndescription: Helps with ${mark}.\n---\nYou help ${mark}.\n`
    const url = `${ENDPOINT_URL}${mark}`
    return [
      ['PUT', '/v1/agents/helper', { agent_md }],
      ['PUT', '/v1/secrets/TOKEN', { value: `${CANARY} ${mark}`, any_host: true }],
      ['PUT', '/v1/files/notes.md', { of: mark }],
      ['PUT', '/v1/memory/shared/animals.md', { content: `The zebra is of ${mark}.` }],
      ['POST', '/v1/webhook-endpoints', { url, events: ['run.*', 'fanout.*', 'subagent.*'] }],
      ['POST', '/v1/hooks', { description: mark, scheme: 'standard', template: mark }],
      ['POST', '/v1/keys', { name: mark, scopes: ['runs:read'] }],
      ['PUT', '/v1/schedules/daily', { every: 86_400, input: mark }],
    ]
  }

  async #write(method: string, path: string, body: object): Promise<void> {
    const headers: Record<string, string> = method === 'POST' ? { 'idempotency-key': KEY } : {}
    const { tenant } = this.#of
    const answer = await this.#line.insist(8, tenant, method, path, body, headers)
    if (!answer) return
    const text = await answer.response.text()
    if (answer.status >= 400) {
      return this.#sim.law.breach(
        'I11_validIsAccepted',
        `${method} ${path}: ${answer.status} ${text}`,
      )
    }
    this.#configured.add(path)
    const key = path === '/v1/keys' ? (JSON.parse(text) as { key?: string }).key : undefined
    if (key !== undefined) await this.#ask('POST', '/v1/browser-sessions', { key })
  }

  /** What somebody else has denied meanwhile stays denied. */
  async #setPolicy(): Promise<void> {
    const read = await this.#ask('GET', '/v1/policy')
    if (read?.status !== 200) return
    const { deny } = (await read.response.json()) as { deny: object }
    const body = {
      approvals: APPROVALS,
      memory: memoryOf(this.#sim),
      model_aliases: { [this.#mark]: 'sim/large' },
      deny,
    }
    const headers = { 'if-match': read.response.headers.get('etag') ?? '' }
    await this.#line.ask(this.#of.tenant, 'PUT', '/v1/policy', body, headers)
  }

  /** A run in a session and a fan-out, all under one key. */
  async #start(): Promise<string | undefined> {
    const { plan, tasks } = this.#of
    const metadata = { of: this.#mark }
    const session = await this.#create('session', { metadata })
    const webhook = { url: `https://steady.example/${this.#mark}`, secret: `whsec_${CANARY}` }
    const input = JSON.stringify(plan)
    const more = {
      ...(session === undefined ? {} : { session_id: session }),
      ...(this.#configured.has('/v1/agents/helper') ? { agent: 'helper' } : {}),
    }
    const run = await this.#create('run', { input, webhook, metadata, ...more })
    await this.#create('fanout', { tasks: tasks.map((task) => ({ task: JSON.stringify(task) })) })
    return run
  }

  async #create(kind: 'run' | 'fanout' | 'session', body: object): Promise<string | undefined> {
    const { tenant } = this.#of
    const key = { 'idempotency-key': KEY }
    const answer = await this.#line.insist(8, tenant, 'POST', `/v1/${kind}s`, body, key)
    if (!answer) return undefined
    const text = await answer.response.text()
    if (answer.status >= 400) {
      this.#sim.law.breach('I11_validIsAccepted', `a ${kind}: ${answer.status} ${text}`)
      return undefined
    }
    const { id } = JSON.parse(text) as { id: string }
    this.#learn(`/v1/${kind}s/${id}`)
    if (kind !== 'session') this.#sim.law.acknowledged.add(knownOf(tenant, kind, id).partition)
    return id
  }

  async #readRun(run: string): Promise<void> {
    for (const part of ['', '/tree', '/transcript', '/config', '/children', '/input']) {
      const answer = await this.#ask('GET', `/v1/runs/${run}${part}`)
      if (answer?.status === 200) this.#learn(`/v1/runs/${run}${part}`)
    }
  }

  async #list(path: string): Promise<void> {
    const cursors = this.#sim.law.belongings.cursors.get(this.#of.tenant)!
    for (let at = `${path}?limit=1`, pages = 0; pages < 3; pages += 1) {
      const answer = await this.#ask('GET', at)
      if (answer?.status !== 200) return
      const { data, next_cursor } = (await answer.response.json()) as Partial<Page>
      for (const item of data ?? []) {
        const id = item.id ?? item.key_id
        if (id !== undefined && !path.startsWith('/v1/schedules')) this.#learn(`${path}/${id}`)
      }
      if (!next_cursor) return
      at = `${path}?limit=1&cursor=${encodeURIComponent(next_cursor)}`
      cursors.push(at)
    }
  }

  async #usage(): Promise<void> {
    const answer = await this.#ask('GET', '/v1/usage')
    if (answer?.status !== 200) return
    const { total } = (await answer.response.json()) as {
      readonly total: { readonly runs: number; readonly fanouts: number }
    }
    this.#sim.law.belongings.I19_usageIsOwn(this.#of.tenant, total)
  }

  /** Reads what the other has, and at last tries to change it. */
  async #askForOthers(): Promise<void> {
    const { belongings } = this.#sim.law
    const { tenant } = this.#of
    const others = [...belongings.paths.keys()].filter((name) => name !== tenant)
    const paths = others.flatMap((name) => [...belongings.paths.get(name)!])
    const cursors = others.flatMap((name) => belongings.cursors.get(name)!)
    for (const path of [...paths, ...cursors]) await this.#foreign('GET', path)
    for (const path of paths) {
      if (CHANGED.test(path)) await this.#foreign('DELETE', path)
    }
    if (paths.length > 0) this.#sim.rare('a tenant asks for what another has')
  }

  async #foreign(method: string, path: string): Promise<void> {
    const answer = await this.#ask(method, path)
    if (!answer) return
    this.#sim.law.belongings.I19_foreignIsNotFound(this.#of.tenant, path, answer.status)
  }

  #learn(path: string): void {
    this.#sim.law.belongings.paths.get(this.#of.tenant)!.add(path)
  }

  #ask(method: string, path: string, body?: object, tries = 3) {
    return this.#line.insist(tries, this.#of.tenant, method, path, body)
  }
}

const KEY = 'the-same-key-of-both'
/** What a `DELETE` may take away. */
const CHANGED = /^\/v1\/(?:keys|hooks|browser-sessions|webhook-endpoints|sessions)\/[^/]+$/
