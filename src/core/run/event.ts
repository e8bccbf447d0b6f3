/** A fact as clients see it: the same entry, the same name, with an id and a time. */

import { named } from '../../lib/id.ts'
import { iso } from '../../lib/time.ts'
import type { RunFact, Stamped } from './facts.ts'

export interface Event {
  readonly id: string
  readonly type: string
  readonly run_id: string
  /** Dense per run, from 1. */
  readonly seq: number
  readonly created_at: string
  readonly data: Readonly<Record<string, unknown>>
}

export function eventOf(runId: string, { seq, at, fact }: Stamped<RunFact>): Event {
  return {
    id: named('evt', runId, seq),
    type: fact.type,
    run_id: runId,
    seq,
    created_at: iso(at),
    data: dataOf(fact),
  }
}

/** Internals of the engine (pins, epochs, inherited defaults) are not part of the contract. */
function dataOf(fact: RunFact): Record<string, unknown> {
  switch (fact.type) {
    case 'run.created': {
      const { agent_entry: _, inherited_model: __, ...run } = fact.run
      return run
    }
    case 'run.started': {
      const { type: _, pin: __, ...data } = fact
      return data
    }
    case 'assistant.message': {
      const { type: _, parts, ...data } = fact
      return {
        ...data,
        parts: parts.map(({ provider: _p, ...part }: { provider?: unknown }) => part),
      }
    }
    case 'tool.call': {
      const { type: _, epoch: __, ...data } = fact
      return data
    }
    default: {
      const { type: _, ...data } = fact
      return data
    }
  }
}
