/**
 * What every route does with requests that a seed has made: no 5xx but 503, no hang, no request
 * above 50 ms of the server's processor, and every error is a problem document of a known code.
 */

import { type Case, CODES, caseOf, type Known } from './requests.ts'

export interface Reply {
  readonly status: number
  readonly type: string
  readonly text: string
  /** What it took of the server's processor, in ms. */
  readonly cpuMs: number
}
export interface Target {
  /** Rejects when there is no answer in time. */
  send(request: Case): Promise<Reply>
  /** Everything that was begun comes to rest. */
  settle(): Promise<void>
}
export interface RedRequest {
  readonly request: Case
  readonly why: string
}

/** Milliseconds of processor time that one request may take, and each MiB of a streamed answer. */
export const HELD_MS = 50
const MIB = 1_048_576
const SETTLE_EVERY = 50

/** Ids and names of one thing of each kind, made so that requests meet something. */
export async function furnish(target: Target): Promise<Known> {
  const make = async (method: string, path: string, json: unknown, headers: object = {}) => {
    const request: Case = {
      seed: 0,
      method,
      path,
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof json === 'string' ? json : JSON.stringify(json),
      operation: path,
    }
    const { status, text } = await target.send(request)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
    return JSON.parse(text) as { id?: string; data?: readonly { id: string }[] }
  }
  const webhook = { url: 'https://receiver.example/hook' }
  const input = '@say there'
  const made = [
    await make('POST', '/v1/runs', { input, webhook }),
    await make('POST', '/v1/runs', { input: '@spawn 2\n@await\n@say {results}' }),
    await make('POST', '/v1/sessions', {}),
    await make('POST', '/v1/fanouts', { tasks: [{ task: input }] }),
    await make('POST', '/v1/hooks', { scheme: 'standard' }),
    await make('POST', '/v1/webhook-endpoints', { url: webhook.url }),
  ]
  const md = '---\nname: there\ndescription: Is there.\n---\nBody.\n'
  await make('PUT', '/v1/skills/there', { skill_md: md })
  await make('PUT', '/v1/agents/there', { agent_md: md })
  await make('PUT', '/v1/mcp-servers/there', { url: 'https://tools.example/mcp' })
  await make('PUT', '/v1/files/base/there.md', md, { 'content-type': 'application/octet-stream' })
  await target.settle()
  return [...made.map(({ id }) => id ?? ''), 'there', 'there', 'base/there.md', 'base', 'general']
}

/** A request for each seed; what is red is handed over as it is found. */
export async function fuzzRoutes(
  target: Target,
  known: Known,
  { seeds, heldMs = HELD_MS }: { seeds: Iterable<number>; heldMs?: number },
  red: (one: RedRequest) => void,
): Promise<{ readonly tried: number; readonly statuses: ReadonlyMap<number, number> }> {
  const statuses = new Map<number, number>()
  let tried = 0
  for (const seed of seeds) {
    const request = caseOf(seed, known)
    tried += 1
    try {
      const reply = await target.send(request)
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
      const why = wrong(request, reply) ?? (await slow(target, request, reply, heldMs))
      if (why !== undefined) red({ request, why })
    } catch (error) {
      red({ request, why: String((error as Error).message) })
    }
    if (tried % SETTLE_EVERY === 0) await target.settle()
  }
  return { tried, statuses }
}

function wrong({ path }: Case, { status, type, text }: Reply): string | undefined {
  if (status >= 500 && status !== 503) return `answered by ${status} ${text.slice(0, 300)}`
  if (status < 400) return undefined
  // MCP answers in JSON-RPC; what the key decides, too.
  if (/"jsonrpc"/.test(text)) return undefined
  // Pages for people answer in HTML.
  if (path.startsWith('/decide/') && type.startsWith('text/html')) return undefined
  if (!type.startsWith('application/problem+json'))
    return `${status} is no problem document: ${type}`
  const { code } = JSON.parse(text) as { code?: string }
  return CODES.has(code ?? '') ? undefined : `nobody knows the code ${code}`
}

async function slow(
  target: Target,
  request: Case,
  { cpuMs, type, text }: Reply,
  heldMs: number,
): Promise<string | undefined> {
  const isStream = type.startsWith('application/jsonl')
  const allowedMs = isStream ? heldMs * (1 + text.length / MIB) : heldMs
  let best = cpuMs
  for (let more = 0; more < 2 && best >= allowedMs; more += 1) {
    // What was begun by the first is not what this one takes.
    await target.settle()
    best = Math.min(best, (await target.send(request)).cpuMs)
  }
  return best < allowedMs ? undefined : `held the processor for ${Math.round(best)} ms`
}

export const shownRequest = ({ request, why }: RedRequest): string => {
  const { seed, method, path, headers, body } = request
  return [
    `${method} ${path.slice(0, 200)}, seed ${seed}: ${why}`,
    `  node test/hostile/fuzz/main.ts --routes --seed ${seed} --seeds 1`,
    `  ${JSON.stringify(headers).slice(0, 300)}`,
    `  ${body?.slice(0, 400) ?? '(no body)'} (${body?.length ?? 0} characters)`,
  ].join('\n')
}
