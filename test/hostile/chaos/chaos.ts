/**
 * Load, kills, rest, reckoning. The seed settles when the server is killed, what the receiver does
 * and how clients choose; the interleaving is the machine's own.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { judge, nextCrashCount } from '../../../src/core/crash-count.ts'
import { chance } from '../../support/chance.ts'
import type { Open } from '../../support/launch.ts'
import { type Ledger, newLedger } from './acknowledged.ts'
import { asked, askedFigures } from './asked.ts'
import { unrest } from './found.ts'
import { explained, type Host, type MortalHost, startHost } from './host.ts'
import { type Load, runLoad } from './load.ts'
import { type Outside, startOutside } from './outside.ts'
import { reconcile } from './reconcile.ts'
import { recoveryFigures } from './recovery.ts'
import { startWorkerdHost } from './workerd.ts'

export interface ChaosOptions {
  readonly kills: number
  /** The Worker in workerd instead of the Node host. */
  readonly workerd?: boolean
  readonly seed: number
}
export interface ChaosReport {
  /** What was done, name by name. */
  readonly done: Readonly<Record<string, number>>
  readonly violations: readonly string[]
  /** What those wait for that did not come to rest, as the store has it. */
  readonly waits: readonly string[]
}

/** What has had its pause goes on: one after the other alone, its parent and its session after it. */
const CALM_MS = 90_000

/**
 * How long what was under way may take to come to rest after kills over `spanMs`. Whoever was looked
 * at when two processes died in a row waits for the next look as long as rule 34 says, and longer
 * after each look that a death cuts short; the last one may have been just before the end. It is
 * late then, and not lost.
 */
function restMs(spanMs: number): number {
  let claims = nextCrashCount(nextCrashCount(undefined, 0), 0)
  for (;;) {
    const next = judge(claims, claims.last)
    if (next.kind !== 'later' || next.at > spanMs) break
    claims = nextCrashCount(claims, next.at)
  }
  const last = judge({ ...claims, last: spanMs }, spanMs)
  return CALM_MS + (last.kind === 'later' ? last.at - spanMs : 0)
}
/** A life's longest, half of it on average. */
const LIFE_MS = 2_000
/** Of this workerd needs more to come up. */
const WORKERD_LIFE_MS = 4_000

export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const open: Open = []
  try {
    return await underLoad(options, open)
  } finally {
    for (const close of open.reverse()) await close()
  }
}

async function underLoad(
  { kills, seed, workerd = false }: ChaosOptions,
  open: Open,
): Promise<ChaosReport> {
  const random = chance(seed)
  const outside = await startOutside(chance(seed + 1), open)
  const lifeMs = workerd ? WORKERD_LIFE_MS : LIFE_MS
  const start = workerd ? startWorkerdHost : startHost
  const host: MortalHost = await start({ OPENAI_BASE_URL: outside.modelUrl }, open)
  await configure(host, outside)
  const transaction = newLedger()
  let stopped = false
  let over = false
  const load: Load = {
    host,
    outside,
    transaction,
    random: chance(seed + 2),
    stopped: () => stopped,
    over: () => over,
    readers: [],
  }
  const running = runLoad(load)
  // Noticed where it is awaited, not before.
  running.catch(() => undefined)
  const began = performance.now()
  for (let kill = 0; kill < kills; kill += 1) {
    // Every fourth life is short: it dies while it picks up the pieces.
    await sleep((kill % 4 === 3 ? lifeMs / 8 : lifeMs) * random())
    await host.kill()
  }
  stopped = true
  outside.heal()
  const patienceMs = Math.round(restMs(performance.now() - began))
  const stoppedAt = performance.now()
  // A client that gives up leaves its runs without what they wait for: that is told at once.
  const failed = running.then(() => new Promise<never>(() => {}))
  const restless = await Promise.race([rest(host, transaction, patienceMs), failed])
  const seconds = Math.round((performance.now() - stoppedAt) / 1_000)
  const ids = restless.map((one) => one.split(' ')[0] ?? '')
  const waits = ids.length === 0 ? [] : await host.riddles(ids)
  over = true
  await running
  await Promise.all(load.readers)
  const { violations, outcomes, logs } = await reconcile(host.server(), transaction, outside)
  const late = restless.map((one) => `not at rest after ${patienceMs} ms: ${one}`)
  const figured = figures(kills, host, transaction, outside)
  const done = {
    ...figured,
    ...askedFigures(logs, outside.questions, host.deaths),
    ...recoveryFigures(logs, host.deaths),
    ...Object.fromEntries(outcomes),
    'seconds until rest': seconds,
  }
  const all = [...late, ...violations, ...asked(logs, outside.questions, host.deaths)]
  return { done, violations: explained(all, host.printed()), waits }
}

export async function configure({ server }: Host, { mcpUrl }: Outside): Promise<void> {
  const toml = `[mcp_servers.ledger]\nurl = "${mcpUrl}"\n`
  await server().ask('/v1/files/base/.agents/config.toml', { method: 'PUT', body: toml })
  const etag = (await server().ask('/v1/policy')).headers.get('etag') ?? ''
  const json = { approvals: { mcp__ledger__pay: 'ask' } }
  await server().get('/v1/policy', { method: 'PUT', json, headers: { 'if-match': etag } })
}

/** Waits until nothing is under way; what still is when patience ends. */
export async function rest(host: Host, transaction: Ledger, patienceMs: number): Promise<string[]> {
  const end = performance.now() + patienceMs
  for (let calm = 0; ; ) {
    await sleep(500)
    const left = await unrest(host.server(), transaction)
    calm = left.length === 0 ? calm + 1 : 0
    // Clients may still be about to begin a last run.
    if (calm >= 4) return []
    if (performance.now() > end) return left
  }
}

export function figures(kills: number, host: Host, transaction: Ledger, outside: Outside) {
  const heard = [...outside.heard.values()]
  return {
    kills,
    'runs accepted': transaction.runs.length,
    'of them in sessions': transaction.runs.filter(({ session }) => session !== undefined).length,
    'fan-outs accepted': transaction.fanouts.length,
    'requests sent twice under one key': transaction.retries,
    'tries without an answer': host.lost(),
    'cancels acknowledged': transaction.cancels.length,
    'messages acknowledged': transaction.messages.length,
    'decisions acknowledged': transaction.decisions.length,
    'once effects performed': outside.effects.size,
    'events delivered': heard.filter(({ accepted }) => accepted > 0).length,
    'webhook requests': heard.reduce((sum, { requests }) => sum + requests, 0),
    ...Object.fromEntries([...outside.answers].map(([mood, n]) => [`receiver: ${mood}`, n])),
    readers: transaction.readings.length,
    'connections of readers': transaction.readings.reduce((sum, one) => sum + one.connections, 0),
  }
}
