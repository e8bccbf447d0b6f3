/** `strata cancel --all`: cancels all active runs that match filters, page by page. */

import type { components } from '../client/index.ts'
import { clientOf } from './api.ts'
import type { RunsAsked, Shape } from './manage.ts'
import { jsonLine } from './run.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './usage-error.ts'

type Filters = components['schemas']['RunsCancellationInput']
interface CancelAllOptions extends Shape, Omit<RunsAsked, 'limit' | 'search' | 'oldest'> {
  readonly all?: true
  readonly reason?: string
}

/** Number of runs that one request cancels. */
const PAGE = 500

export async function cancelAll(
  terminal: Terminal,
  options: CancelAllOptions,
  id?: string,
): Promise<number> {
  if (!options.all || id !== undefined)
    throw new WrongUse('specify the ID of a run or fan-out, or --all')
  const { runs } = clientOf(terminal.env)
  const filters = filtersOf(options)
  let total = 0
  let cursor: string | undefined
  do {
    const page = await runs.cancelMany({ ...filters, limit: PAGE, cursor })
    total += page.cancelled
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  const object = 'runs_cancellation' as const
  terminal.out(options.json ? jsonLine({ object, cancelled: total }) : `cancelled ${total} runs`)
  return 0
}

/** Converts the options to a request body; the server validates the values. */
function filtersOf(options: CancelAllOptions): Filters {
  const { status, waitingOn, session, metadata = [], from, to, reason } = options
  const { agent, role, label, model } = options
  const pairs = metadata.map((pair): [string, string] => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
  const filters = {
    ...{ agent, role, label, model, session_id: session },
    status: status?.split(',') as Filters['status'],
    waiting_on: waitingOn?.split(',') as Filters['waiting_on'],
    metadata: pairs.length === 0 ? undefined : Object.fromEntries(pairs),
    created: (from ?? to) === undefined ? undefined : { gte: from, lt: to },
  }
  const entries = Object.entries(filters).filter(([, value]) => value !== undefined)
  return { all: true, reason: reason ?? null, ...Object.fromEntries(entries) }
}
