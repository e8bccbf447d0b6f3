/** A second reading of a fan-out's log, and the laws of its single facts. */

import type { FanoutFact, FanoutSpec } from '../../../src/core/fanout/facts.ts'
import type { Outbox } from '../../../src/core/outbox.ts'

interface ShadowTask {
  child: string
  announced: string | undefined
}

export interface ShadowFanout {
  readonly partition: string
  readonly facts: FanoutFact[]
  spec: FanoutSpec | undefined
  status: 'running' | 'completed' | 'failed' | 'cancelled'
  cancelled: boolean
  /** Those that nobody waits for; undefined while the barrier is closed. */
  missing: readonly string[] | undefined
  createdAt: number
  readonly tasks: Map<string, ShadowTask>
  /** Of an open one: how many tasks each page has that came, by its number. */
  readonly pages: Map<number, number>
  sealed: boolean
  extendedAt: number
  outbox: Outbox
}

export const CLOSING = 'then'

export const newFanout = (partition: string): ShadowFanout => ({
  partition,
  facts: [],
  spec: undefined,
  status: 'running',
  cancelled: false,
  missing: undefined,
  createdAt: 0,
  tasks: new Map(),
  pages: new Map(),
  sealed: false,
  extendedAt: 0,
  outbox: { webhook: [], cancel: [] },
})

export const FANOUT_LAWS = [
  I1_statusGraphIsLegal,
  I5_barrierObeysItsJoin,
  I5_eachChildCountsOnce,
  I12_nothingBeginsAfterCancel,
  I24_pagesComeOnce,
] as const

/** How many children it waits for. */
export const countOf = ({ spec, pages }: ShadowFanout): number =>
  spec?.open ? pages.size : (spec?.count ?? 0)

const DAY_MS = 24 * 60 * 60_000

function I1_statusGraphIsLegal(
  shadow: ShadowFanout,
  fact: FanoutFact,
  at: number,
): string | undefined {
  if (shadow.status !== 'running') return `${fact.type} after ${shadow.status}`
  if ((fact.type === 'fanout.created') !== (shadow.spec === undefined)) return fact.type
  if (fact.type === 'fanout.completed') {
    if (!shadow.missing) return 'completed before the barrier was released'
    const closing = shadow.tasks.get(CLOSING)?.announced
    if (shadow.spec?.closing && closing !== 'completed') return `its closing run is ${closing}`
  }
  if (fact.type !== 'fanout.failed') return undefined
  if (fact.error.code === 'not_sealed') {
    const late = shadow.spec?.open && !shadow.sealed && at >= shadow.extendedAt + DAY_MS
    return late ? undefined : 'given up before its day was over'
  }
  const ends = [...shadow.tasks.values()].map(({ announced }) => announced)
  const bad = ends.some((end) => end !== undefined && end !== 'completed')
  return bad ? undefined : 'failed though no child did'
}

function I12_nothingBeginsAfterCancel(shadow: ShadowFanout, fact: FanoutFact): string | undefined {
  // A page that was not to be is created with its end.
  const tombstone = shadow.spec?.parent !== undefined && shadow.facts.length === 1
  if (fact.type === 'fanout.cancelled' && !shadow.cancelled) {
    return tombstone ? undefined : 'cancelled by nobody'
  }
  if (!shadow.cancelled) return undefined
  const begins = [
    'fanout.extended',
    'fanout.sealed',
    'barrier.released',
    'fanout.completed',
    'fanout.failed',
    'cancel.requested',
  ]
  return begins.includes(fact.type) ? `${fact.type} after cancel.requested` : undefined
}

function I5_eachChildCountsOnce(shadow: ShadowFanout, fact: FanoutFact): string | undefined {
  if (fact.type === 'subagent.spawned' || fact.type === 'page.started') {
    return shadow.tasks.has(fact.call) ? `${fact.call} was created twice` : undefined
  }
  const ends = ['subagent.announced', 'subagent.failed', 'page.ended']
  if (!('announce' in fact) || !ends.includes(fact.type)) return undefined
  const task = shadow.tasks.get(fact.call)
  if (!task) return `an announce for ${fact.call}, which has no child`
  if (task.announced) return `the child of ${fact.call} counts twice`
  if (fact.announce.run_id !== task.child) return `an announce of a stranger for ${fact.call}`
  if (fact.type === 'page.ended') return undefined
  const completed = fact.announce.status === 'completed'
  return completed === (fact.type === 'subagent.announced') ? undefined : 'a misnamed announce'
}

/** Each page once, whoever hands it in how often; the seal only when all are there. */
function I24_pagesComeOnce(shadow: ShadowFanout, fact: FanoutFact): string | undefined {
  if (fact.type === 'fanout.extended') {
    if (shadow.sealed || shadow.missing) return `page ${fact.page} after the seal`
    return shadow.pages.has(fact.page) ? `page ${fact.page} came twice` : undefined
  }
  if (fact.type !== 'fanout.sealed') return undefined
  if (shadow.sealed) return 'sealed twice'
  const all = Array.from({ length: fact.pages }, (_, page) => shadow.pages.has(page))
  const whole = shadow.pages.size === fact.pages && all.every(Boolean)
  return whole ? undefined : `sealed with ${shadow.pages.size} of ${fact.pages} pages`
}

function I5_barrierObeysItsJoin(
  shadow: ShadowFanout,
  fact: FanoutFact,
  at: number,
): string | undefined {
  if (fact.type === 'subagent.spawned' && fact.call === CLOSING && !shadow.missing) {
    return 'the closing run began before the barrier was released'
  }
  if (fact.type !== 'barrier.released') return undefined
  if (shadow.missing) return 'the barrier was released twice'
  const { join, open } = shadow.spec!
  const count = countOf(shadow)
  if (open && !shadow.sealed && fact.reason !== 'deadline') return 'released before its seal'
  const ends = [...shadow.tasks.values()].flatMap(({ announced }) => announced ?? [])
  if (fact.missing.length !== count - ends.length) return 'missing is not what is pending'
  if (fact.missing.length === 0) return undefined
  if (fact.reason === 'deadline') {
    const end = shadow.createdAt + (join.deadline_seconds ?? Number.POSITIVE_INFINITY) * 1000
    return at >= end ? undefined : 'released before its deadline'
  }
  if (fact.reason === 'budget') return spentBefore(shadow)
  if (join.policy === 'all') return `released while ${fact.missing.length} are pending`
  const successes = ends.filter((end) => end === 'completed').length
  const needed = join.policy === 'any' ? 1 : join.policy.quorum
  return successes >= needed ? undefined : `released with ${successes} of ${needed} successes`
}

/** Rule 23: only where there is a budget, and no child lives that could give something back. */
function spentBefore({ spec, tasks }: ShadowFanout): string | undefined {
  const { max_tokens, max_model_calls, max_cost_usd } = spec!.limits ?? {}
  if ((max_tokens ?? max_model_calls ?? max_cost_usd ?? null) === null) return 'there is no budget'
  const living = [...tasks.values()].filter(({ announced }) => !announced)
  return living.length === 0 ? undefined : `its budget is spent, but ${living.length} live`
}

export function foldFanout(shadow: ShadowFanout, fact: FanoutFact, at: number): void {
  shadow.facts.push(fact)
  switch (fact.type) {
    case 'fanout.created':
      shadow.spec = fact.fanout
      shadow.createdAt = at
      shadow.extendedAt = at
      return
    case 'fanout.extended':
      shadow.pages.set(fact.page, fact.count)
      shadow.extendedAt = at
      return
    case 'fanout.sealed':
      shadow.sealed = true
      return
    case 'subagent.spawned':
    case 'page.started':
      shadow.tasks.set(fact.call, { child: fact.run_id, announced: undefined })
      return
    case 'subagent.announced':
    case 'subagent.failed':
    case 'page.ended':
      shadow.tasks.get(fact.call)!.announced = fact.announce.status
      return
    case 'barrier.released':
      shadow.missing = fact.missing
      return
    case 'cancel.requested':
      shadow.cancelled = true
      return
    case 'fanout.completed':
    case 'fanout.failed':
    case 'fanout.cancelled':
      shadow.status = fact.type.slice('fanout.'.length) as ShadowFanout['status']
      return
    default:
      fact satisfies never
  }
}
