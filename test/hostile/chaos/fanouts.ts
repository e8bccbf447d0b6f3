/** Fan-outs that were acknowledged, against what the server shows and what the receiver saw. */

import type { Event } from '../../../src/core/run/views/event.ts'
import { messageId } from '../../../src/core/webhook/signature.ts'
import { derivedId } from '../../../src/lib/id.ts'
import type { Client } from '../../support/launch.ts'
import type { AcknowledgedFanout, Ledger } from './acknowledged.ts'
import { type FoundDelivery, type FoundFanout, listedFanouts, logsBelow } from './found.ts'
import type { Outside } from './outside.ts'

/** Every 202 is one fan-out that has ended, each task once; puts the logs of its runs in. */
export async function reconcileFanouts(
  server: Client,
  { fanouts }: Ledger,
  logs: Map<string, readonly Event[]>,
): Promise<string[]> {
  const listed = fanouts.length === 0 ? [] : await listedFanouts(server)
  const known = new Set(fanouts.map(({ id }) => id))
  const wrong = listed.flatMap(({ id }) =>
    known.has(id) ? [] : [`${id} is nobody's: a key twice`],
  )
  for (const one of fanouts) {
    if (!listed.some(({ id }) => id === one.id)) {
      wrong.push(`${one.name}: fan-out ${one.id} was accepted and is not there`)
      continue
    }
    const found = await server.get<FoundFanout>(`/v1/fanouts/${one.id}`)
    const runs = (found.results ?? []).flatMap(({ run_id }) => run_id ?? [])
    if (found.closing_run_id !== null) runs.push(found.closing_run_id)
    for (const run of runs) await logsBelow(server, run, logs)
    wrong.push(...judged(one, found, runs))
  }
  return wrong
}

function judged(one: AcknowledgedFanout, found: FoundFanout, runs: readonly string[]): string[] {
  const { id, name, count, closes, cancelled } = one
  const { status, results = [] } = found
  const where = `${name}: fan-out ${id}`
  if (results.length !== count) return [`${where} has ${results.length} of ${count} tasks`]
  if (new Set(runs).size < runs.length) return [`${where} has a run twice`]
  if (cancelled && status === 'cancelled') return []
  if (status !== 'completed') return [`${where} is ${status}`]
  const done = results.filter((task) => task.status === 'completed').length
  const whole = done === count && runs.length === count + (closes ? 1 : 0)
  return whole ? [] : [`${where}: ${done} of ${count} tasks, ${runs.length} runs`]
}

/** One delivery for the end of each, delivered or waiting, under one id. */
export function fanoutDeliveries(
  { fanouts }: Ledger,
  outside: Outside,
  found: readonly FoundDelivery[],
): string[] {
  return fanouts.flatMap(({ id }) => {
    const [one, ...more] = found.filter(({ run_id }) => run_id === id)
    if (!one || more.length > 0) return [`${id}: ${more.length + (one ? 1 : 0)} deliveries`]
    const heard = outside.heard.get(derivedId('evt', id, one.seq))
    const waiting = one.status === 'pending' && Date.parse(one.next_at ?? '') > Date.now()
    if (one.status !== 'delivered') return waiting ? [] : [`${one.id}: is ${one.status}`]
    if (!heard?.accepted) return [`${one.id}: never arrived`]
    return heard.ids.has(messageId(one.id)) ? [] : [`${one.id}: came as another id`]
  })
}
