/**
 * The attackers, in a process of their own so that what they do slows nobody but the server: the
 * hostile model, peers on loopback and clients. It is told by its parent which attack to begin and
 * when to end it, and answers with what the server did.
 */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Behaviour, type HostilePeer, startHostilePeer } from '../../support/hostile/index.ts'
import { type Ask, clientOf } from '../../support/launch.ts'
import type { Attack, Reply, RunEnd, Siege } from './attack.ts'
import { ATTACKS } from './attacks/index.ts'
import { scripted } from './speech.ts'

export type Order =
  | {
      readonly type: 'server'
      readonly url: string
      readonly keys: Readonly<Record<string, string>>
      readonly node: boolean
    }
  | { readonly type: 'begin'; readonly name: string; readonly ms: number; readonly alone: boolean }
  | { readonly type: 'stop' }
export type Word =
  | { readonly type: 'ready'; readonly modelUrl: string }
  | { readonly type: 'done'; readonly name: string; readonly told: Told }
export interface Told {
  /** What the server did, and how often. */
  readonly counts: Readonly<Record<string, number>>
  /** Runs that were accepted. */
  readonly runs: readonly string[]
  /** What broke, in a sentence each. */
  readonly broken: readonly string[]
  readonly assaults: number
}

/** What went wrong, with what lies beneath it: fetch itself only says that it failed. */
const whyOf = ({ message, cause }: Error): string =>
  (cause instanceof Error ? `${message}: ${cause.message}` : message).slice(0, 500)

const PAUSE_MS = 300
/** What one request may take of the attacker's own patience. */
const PATIENCE_MS = 45_000
const LIVE = new Set(['queued', 'running', 'waiting'])

/**
 * Requests that are answered at once and are under way at once, of all attacks together: how many a
 * client may send is what a rate limit is for, and the server has none. What is held open, waits or
 * is sent by bytes is not counted here.
 */
const AT_ONCE = 16
let underWay = 0
const turns: (() => void)[] = []

async function inTurn<T>(act: () => Promise<T>): Promise<T> {
  if (underWay >= AT_ONCE) await new Promise<void>((resolve) => turns.push(resolve))
  else underWay += 1
  try {
    return await act()
  } finally {
    const next = turns.shift()
    if (next) next()
    else underWay -= 1
  }
}

const behaviours = new Map<string, Behaviour>()
const model = await startHostilePeer({
  what: 'whatever the attack says whose word the request holds',
  act(socket, asked) {
    const [, word = ''] = /siege:([\w.-]+)/.exec(asked.body) ?? []
    ;(behaviours.get(word) ?? scripted).act(socket, asked)
  },
})

let server = { url: '', keys: {} as Readonly<Record<string, string>>, node: true }
const under = new Set<AbortController>()
const send = (word: Word): void => void process.send?.(word)

process.on('message', (order: Order) => {
  if (order.type === 'server') server = order
  if (order.type === 'stop') for (const one of under) one.abort()
  if (order.type !== 'begin') return
  const attack = ATTACKS.find(({ name }) => name === order.name)!
  assail(attack, order).then((told) => send({ type: 'done', name: attack.name, told }))
})
process.on('disconnect', () => process.exit())
// A peer that is cut off in the middle of a word is what all this is about.
process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || error.code === 'ECONNRESET') return
  console.error('attackers:', error)
})
send({ type: 'ready', modelUrl: `${model.origin}/v1` })

/** Repeats the assault until its time is over, and lets go of everything. */
async function assail(
  attack: Attack,
  { ms, alone }: { readonly ms: number; readonly alone: boolean },
): Promise<Told> {
  const end = performance.now() + ms
  const told = {
    counts: {} as Record<string, number>,
    runs: [] as string[],
    broken: [] as string[],
    assaults: 0,
  }
  const stop = new AbortController()
  under.add(stop)
  const timer = setTimeout(() => stop.abort(), ms)
  do {
    const open: (() => unknown)[] = []
    const siege = siegeOf(attack, told, stop.signal, open, alone)
    try {
      await attack.run(siege)
    } catch (error) {
      if (!stop.signal.aborted) told.broken.push(whyOf(error as Error))
    }
    told.assaults += 1
    for (const close of open.reverse()) await close()
    if (!stop.signal.aborted) await sleep(PAUSE_MS)
  } while (performance.now() < end && !stop.signal.aborted && told.broken.length < 3)
  clearTimeout(timer)
  under.delete(stop)
  return told
}

function siegeOf(
  attack: Attack,
  told: { counts: Record<string, number>; runs: string[]; assaults: number },
  signal: AbortSignal,
  open: (() => unknown)[],
  alone: boolean,
): Siege {
  const key = server.keys[attack.name] ?? server.keys.any ?? ''
  const client = clientOf(server.url, key)
  const saw = (what: string, times = 1): void => {
    told.counts[what] = (told.counts[what] ?? 0) + times
  }
  const ask = async (path: string, init: Ask = {}): Promise<Reply> => {
    const asked = async () => {
      // Of the server: what waits for other attackers has not been sent.
      const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
      const response = await client.ask(path, { signal: patience, ...init })
      return { response, text: await response.text() }
    }
    const waits = new Headers(init.headers).has('prefer')
    const { response, text } = await (waits ? asked() : inTurn(asked))
    saw(String(response.status))
    const { status, headers } = response
    if (status >= 500 && status !== 503)
      throw new Error(`${init.method ?? 'GET'} ${path}: ${status} ${text.slice(0, 200)}`)
    const json = /json/.test(headers.get('content-type') ?? '') ? JSON.parse(text) : undefined
    if (status >= 400 && path.startsWith('/v1') && json?.code === undefined)
      throw new Error(`${path}: ${status} is no problem document`)
    return { status, text, headers, json }
  }
  const post: Siege['post'] = (path, json, headers = {}) =>
    ask(path, { method: 'POST', json, headers })
  const start: Siege['start'] = async (request) => {
    const { status, json } = await post('/v1/runs', {
      model: 'openai/hostile',
      ...LIMITED,
      ...request,
    })
    if (status !== 202 && status !== 200) return undefined
    told.runs.push(json.id)
    return json.id
  }
  const finish: Siege['finish'] = async (request, seconds = 30) => {
    const id = await start(request)
    if (id === undefined) return undefined
    const end = performance.now() + seconds * 1_000
    for (;;) {
      const { json } = await ask(`/v1/runs/${id}`)
      if (!LIVE.has(json.status)) {
        saw(`run ${json.status}`)
        return json as RunEnd
      }
      if (performance.now() > end) {
        if (alone) throw new Error(`${id} is still ${json.status} after ${seconds} s`)
        saw('still waits')
        return undefined
      }
      await sleep(200, undefined, { signal })
    }
  }
  const modelOf = (behaviour: Behaviour): string => {
    behaviours.set(attack.name, behaviour)
    return `siege:${attack.name}`
  }
  return {
    url: server.url,
    key,
    base: `evil-${attack.name}`,
    node: server.node,
    alone,
    signal,
    nth: told.assaults,
    ask,
    post,
    put: (path, body) =>
      ask(`/v1/files/${path}`, {
        method: 'PUT',
        body: body as string,
        headers: { 'content-type': 'application/octet-stream' },
      }),
    start,
    finish,
    tempted: (behaviour, request = {}) => finish({ input: modelOf(behaviour), ...request }),
    model: modelOf,
    async peer(behaviour): Promise<HostilePeer> {
      const peer = await startHostilePeer(behaviour)
      open.push(peer.close)
      return peer
    },
    async socket(first): Promise<Socket> {
      const { hostname, port } = new URL(server.url)
      const socket = connect(Number(port), hostname)
      open.push(() => socket.destroy())
      socket.on('error', () => {})
      await once(socket, 'connect', { signal })
      if (first !== undefined) socket.write(first)
      return socket
    },
    saw,
    hold: (ms) => sleep(ms, undefined, { signal }).catch(() => {}),
  }
}

/** What a hostile run may take: it is to end soon, whatever it meets. */
const LIMITED = { limits: { timeout_seconds: 4, max_steps: 8 } }
