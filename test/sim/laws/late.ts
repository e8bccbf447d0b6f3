/**
 * Ends of children that came after their parent's (rules 10, 21): each stands in the parent's log or,
 * once, in its head; what is told of it outside stands in no log; its result is in the session.
 */

import type { LateResults } from '../../../src/core/late-results.ts'
import type { Head } from '../../../src/engine/partition/format.ts'
import { logPartition } from '../../../src/engine/partition/keys.ts'
import { derivedId } from '../../../src/lib/id.ts'
import type { Shadow } from '../shadow/shadow.ts'
import { TERMINAL } from '../shadow/shadow.ts'
import type { Sim } from '../world/sim.ts'

/** The child that an event without a place in a log is about. */
export const lateChild = (data: unknown): string =>
  (data as { announce: { run_id: string } }).announce.run_id

const childOf = (sim: Sim, id: string): Shadow | undefined =>
  [...sim.law.runs.values()].find(({ spec }) => spec?.id === id)

/** Told outside of the log: only what the log has not said. */
export function I10_lateIsNoFact(sim: Sim, parent: string, child: string, type: string): void {
  const shadow = childOf(sim, child)
  const completed = type === 'subagent.announced'
  const right = TERMINAL.has(shadow?.status ?? '') && (shadow?.status === 'completed') === completed
  if (!right || announcedIn(sim, parent, child)) {
    sim.law.breach('I10_lateIsNoFact', `${parent} tells ${type} of ${child}, once more or wrongly`)
  }
  sim.rare('told of an end after the end')
}

function announcedIn(sim: Sim, parent: string, child: string): boolean {
  const logs = [...sim.law.runs.values(), ...sim.law.fanouts.byPartition.values()]
  const log = logs.find(({ spec }) => spec?.id === parent)
  return (log?.facts ?? []).some(
    (fact) =>
      (fact.type === 'subagent.announced' || fact.type === 'subagent.failed') &&
      fact.announce.run_id === child,
  )
}

/** At rest: every end of a child is known to its parent once, as it was. */
export function lateEndsAreHeard(sim: Sim): void {
  for (const shadow of sim.law.runs.values()) {
    const { spec, status } = shadow
    if (!spec?.parent || !TERMINAL.has(status)) continue
    const { run_id, call } = spec.parent
    // A spawn that was refused has no child, whatever was created to make sure of that.
    if (sim.law.births.parentOf(shadow)?.calls.get(call)?.result === 'error') continue
    const partition = logPartition(shadow.partition.split('/')[0]!, run_id)
    const row = sim.store.head(partition)
    if (!row) continue
    const after: LateResults | undefined = (JSON.parse(row.body) as Head).late_results
    const late = after?.ends[call]
    const inLog = announcedIn(sim, run_id, spec.id)
    if (inLog === (late !== undefined)) {
      const where = inLog ? 'twice' : 'nowhere'
      sim.law.breach('I7_everyEndIsKnownOnce', `${partition} has ${call} (${spec.id}) ${where}`)
    }
    if (!late) continue
    sim.rare('an end after the end')
    if (late.status !== status) {
      sim.law.breach('I7_lateEndsAreTrue', `${partition} ${call}: ${late.status}, not ${status}`)
    }
    if (status === 'completed') I7_lateResultsAreKept(sim, shadow, late.dropped === true)
    if (!inLog) I10_lateIsTold(sim, shadow, run_id)
    if (!inLog) I10_lateHasADelivery(sim, shadow, partition)
  }
}

/** The parent's own webhook is told like of an end that stands in the log. */
function I10_lateHasADelivery(sim: Sim, { spec, status, partition }: Shadow, above: string): void {
  const { law } = sim
  const webhook = (law.runs.get(above) ?? law.fanouts.byPartition.get(above))?.spec?.webhook
  const type = status === 'completed' ? 'subagent.announced' : 'subagent.failed'
  if (!webhook?.events.includes(type)) return
  sim.rare('an end after the end has a delivery')
  const parent = above.split('/')[2]!
  const id = derivedId('dlv', derivedId('evt', parent, 'after', spec!.id))
  if (sim.store.head(`${partition.split('/')[0]}/delivery/${id}`)) return
  law.breach('I10_lateHasADelivery', `${partition}: the webhook of ${parent} was never told`)
}

/** Rule 21: data for the session's next run, or recorded as dropped. */
function I7_lateResultsAreKept(sim: Sim, { spec, partition }: Shadow, dropped: boolean): void {
  const above = sim.law.births.parentOf({ spec, partition } as Shadow)
  sim.rare(dropped ? 'a late result is dropped' : 'a late result is kept')
  if (!above?.spec) {
    if (!dropped) sim.law.breach('I7_lateResultsAreKept', `${partition}: a fan-out keeps nothing`)
    return
  }
  const session = `${partition.split('/')[0]}/session/${above.spec.session_id}`
  const heard = sim.store.read(session).some(({ key }) => key === `l/${spec!.id}`)
  if (heard === dropped) {
    sim.law.breach('I7_lateResultsAreKept', `${partition}: ${heard ? 'in' : 'not in'} ${session}`)
  }
}

function I10_lateIsTold(sim: Sim, { spec, partition }: Shadow, parent: string): void {
  if (!sim.endpoint || !partition.startsWith(`${sim.endpoint.tenant}/`)) return
  const seen = sim.law.effects.received.get(`endpoint ${parent} ${spec!.id}`)
  if (!seen?.accepted) {
    sim.law.breach('I10_endpointsHearEverything', `${partition}: its end was never told`)
  }
}
