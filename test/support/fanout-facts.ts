/** Facts of a fan-out with as many tasks as it is given. */

import { fanoutChildId } from '../../src/core/fanout/child.ts'
import type { FanoutFact, FanoutSpec, PageEnd } from '../../src/core/fanout/facts.ts'
import type { Budget } from '../../src/core/run/log/fact-parts.ts'
import type { Announce, Join } from '../../src/core/run/log/facts.ts'
import { JOIN_DEFAULT } from '../../src/core/run/log/facts.ts'
import { announced, spawned } from './facts.ts'

export const FANOUT = 'fan_whole'
/** A closing run. */
export const THEN = { agent: 'general', input: 'sum up' }

export function fanoutOf(
  count: number,
  { join, ...over }: Partial<Omit<FanoutSpec, 'join'>> & { readonly join?: Partial<Join> } = {},
): FanoutFact {
  const fanout: FanoutSpec = {
    id: FANOUT,
    count,
    tasks: 'digest',
    join: { ...JOIN_DEFAULT, ...join },
    closing: null,
    webhook: null,
    strict: false,
    on_duplicate: 'shadow',
    live_children: 32,
    max_depth: 1,
    ...over,
  }
  return { type: 'fanout.created', fanout }
}

/** A task, or the closing run (`then`), was begun. */
export const begun = (call: number | string, allotment?: Budget): FanoutFact => {
  const name = String(call)
  const fact = { ...spawned(name), run_id: fanoutChildId({ id: FANOUT }, name) } as FanoutFact
  return allotment === undefined ? fact : ({ ...fact, allotment } as FanoutFact)
}

export const ended = (call: number | string, over: Partial<Announce> = {}): FanoutFact => {
  const name = String(call)
  return announced(name, { run_id: fanoutChildId({ id: FANOUT }, name), ...over }) as FanoutFact
}

export const endedBadly = (call: number, status: 'failed' | 'cancelled' = 'failed'): FanoutFact =>
  ended(call, { status, result: null, error: { code: 'x', message: 'broken' } })

/** A page of so many tasks came. */
export const paged = (page: number, count = 2): FanoutFact => ({
  type: 'fanout.extended',
  page,
  count,
  tasks: `digest of ${page}`,
  request: `request ${page}`,
})

export const sealed = (pages: number, tasks: number): FanoutFact => ({
  type: 'fanout.sealed',
  pages,
  tasks,
})

export const pageStarted = (call: number, page = call): FanoutFact => ({
  type: 'page.started',
  call: String(call),
  page,
  run_id: `fan_page_${call}`,
})

export const pageEnded = (call: number, over: Partial<PageEnd> = {}): FanoutFact => {
  const children = { total: 2, queued: 0, live: 0, completed: 2, failed: 0 }
  return {
    type: 'page.ended',
    call: String(call),
    announce: {
      run_id: `fan_page_${call}`,
      status: 'completed',
      error: null,
      children: { ...children, cancelled: 0, timed_out: 0 },
      usage: { input_tokens: 1, output_tokens: 1, model_calls: 1 },
      ...over,
    },
  }
}
