/** What must hold when faults have stopped and everything has come to rest (the invariants' E and L). */

import type { Delivery } from '../../../src/core/webhook/delivery.ts'
import type { Head } from '../../../src/engine/partition/format.ts'
import { HEAD } from '../../../src/ports/world.ts'
import type { Shadow } from '../shadow/shadow.ts'
import { TERMINAL } from '../shadow/shadow.ts'
import { TENANTS } from '../world/plan.ts'
import type { Sim } from '../world/sim.ts'
import { I13_theInboxIsEmpty } from './approvals.ts'
import { auditAtRest } from './audit.ts'
import { I16_budgetsAreKept } from './budgets.ts'
import { ATTEMPTS } from './deliveries.ts'
import type { SettledLog } from './fanouts.ts'
import { lateEndsAreHeard } from './late.ts'
import { memoryAtRest } from './memory.ts'

export function atRest(sim: Sim): void {
  for (const shadow of sim.law.runs.values()) {
    I15_everyRunEnds(sim, shadow)
    I15_nothingIsHeld(sim, shadow)
    I6_everyCallIsAnswered(sim, shadow)
    I7_everyChildReported(sim, shadow)
    I7_noOrphans(sim, shadow)
    I12_theWholeTreeEnds(sim, shadow)
    const { spec, facts, partition } = shadow
    if (spec)
      I10_endpointsHearEverything(sim, {
        id: spec.id,
        below: spec.parent !== null,
        facts,
        partition,
      })
    if (spec) I10_everyEventIsSettled(sim, { id: spec.id, webhook: spec.webhook, facts, partition })
  }
  sim.law.fanouts.atRest((log) => {
    I10_everyEventIsSettled(sim, log)
    I10_endpointsHearEverything(sim, { ...log, below: log.below === true })
  })
  lateEndsAreHeard(sim)
  memoryAtRest(sim)
  sim.law.sessions.atRest()
  sim.law.schedules.atRest()
  I13_theInboxIsEmpty(sim, TENANTS)
  I16_budgetsAreKept(sim)
  auditAtRest(sim)
  I11_acknowledgedIsKept(sim)
  I11_messagesAreRead(sim)
  I15_noAlarmIsLeft(sim)
  sim.law.retention.atRest()
  sim.law.bodies.atRest()
}

function I15_everyRunEnds(sim: Sim, { partition, status, waitingOn }: Shadow): void {
  if (TERMINAL.has(status)) return
  sim.law.breach('I15_everyRunEnds', `${partition} is ${status} (${waitingOn ?? '–'}) for ever`)
}

function I15_nothingIsHeld(sim: Sim, { partition }: Shadow): void {
  if (sim.law.retention.isGone(partition)) return
  const row = sim.store.head(partition)
  const head = row && (JSON.parse(row.body) as Head)
  if (!head) return sim.law.breach('I15_nothingIsHeld', `${partition} has no head`)
  if (head.lease) sim.law.breach('I15_nothingIsHeld', `${partition} has ended and is leased`)
  const { parent, session, schedule, notice: tell, webhook, cancel, late = [] } = head.outbox
  const lists = webhook.length + cancel.length + late.length
  if (parent || session || schedule || tell != null || lists > 0) {
    sim.law.breach('I15_nothingIsHeld', `${partition} owes ${JSON.stringify(head.outbox)} for ever`)
  }
  const mail = sim.store.read(partition).filter(({ key }) => key.startsWith('mail/'))
  if (mail.length > 0) sim.law.breach('I15_nothingIsHeld', `${partition} has unread letters`)
}

function I6_everyCallIsAnswered(sim: Sim, { partition, status, calls }: Shadow): void {
  if (status !== 'completed') return
  const open = [...calls.values()].find(({ result }) => result === undefined)
  if (open) sim.law.breach('I6_everyCallIsAnswered', `${partition}: ${open.id} has no result`)
}

function I7_everyChildReported(sim: Sim, { partition, status, calls }: Shadow): void {
  if (status !== 'completed') return
  for (const call of calls.values()) {
    if (!call.child || call.announced || call.givenUp) continue
    sim.law.breach('I7_everyChildReported', `${partition}: ${call.child} was never heard of`)
  }
}

/** Who exists is known to its parent, at least when the parent came to its own end. */
function I7_noOrphans(sim: Sim, shadow: Shadow): void {
  const parent = sim.law.births.parentOf(shadow)
  if (parent?.status !== 'completed') return
  // Of a spawn that was refused: whatever was on its way has lost.
  if (shadow.facts[1]?.type === 'run.cancelled') return
  if (parent.calls.get(shadow.spec?.parent?.call ?? '')?.child === shadow.spec?.id) return
  sim.law.breach('I7_noOrphans', `${shadow.partition} is unknown to ${parent.partition}`)
}

/** On every end but `completed` no descendant lives on, not even one that nobody recorded. */
function I12_theWholeTreeEnds(sim: Sim, shadow: Shadow): void {
  const above = sim.law.births.parentOf(shadow)
  if (TERMINAL.has(shadow.status)) return
  if (above && TERMINAL.has(above.status)) {
    sim.law.breach('I12_theWholeTreeEnds', `${shadow.partition} lives on below ${above.partition}`)
  }
}

function I10_everyEventIsSettled(sim: Sim, { id, webhook, facts, partition }: SettledLog): void {
  if (!webhook) return
  const tenant = partition.split('/')[0]!
  const deliveries = deliveriesOf(sim, tenant, id)
  for (const [index, { type }] of facts.entries()) {
    if (!webhook.events.includes(type)) continue
    const seq = index + 1
    const delivery = deliveries.get(seq)
    const where = `${partition} ${seq} (${type})`
    if (!delivery) return sim.law.breach('I10_everyEventIsSettled', `${where} has no delivery`)
    const seen = sim.law.effects.received.get(`${id} ${seq}`)
    if (delivery.status === 'pending') {
      sim.law.breach('I10_everyEventIsSettled', `${where} is pending for ever`)
    }
    if (delivery.status === 'delivered' && !seen?.accepted) {
      sim.law.breach('I10_everyEventIsSettled', `${where} counts as delivered and never arrived`)
    }
    const { posts, gone } = sim.law.deliveries.of(delivery.id)
    if (delivery.status === 'disabled' && !gone) {
      sim.law.breach('I10_everyEventIsSettled', `${where} is disabled, and no receiver is gone`)
    }
    if (delivery.status === 'dropped') {
      sim.law.breach('I10_everyEventIsSettled', `${where} is dropped like that of an endpoint`)
    }
    if (delivery.status === 'failed') {
      sim.rare('delivery dead-lettered')
      if (posts < ATTEMPTS)
        sim.law.breach('I10_everyEventIsSettled', `${where} was given up after ${posts} posts`)
    }
  }
}

/** WS22: an endpoint hears of an event exactly if it was committed, and if it is its tenant's. */
function I10_endpointsHearEverything(
  sim: Sim,
  { partition, id, below, facts }: Omit<SettledLog, 'webhook'> & { readonly below: boolean },
): void {
  if (!sim.endpoint) return
  const own = partition.startsWith(`${sim.endpoint.tenant}/`)
  for (const [index, { type }] of facts.entries()) {
    const ends = type.startsWith('run.') && !below
    const told = ends && TERMINAL.has(type.slice('run.'.length))
    // Of the end of a page nobody hears but its fan-out.
    const silent = below && type.startsWith('fanout.')
    const wanted = own && !silent && (told || TOLD_OF_OTHERS.test(type))
    const seen = sim.law.effects.received.get(`endpoint ${id} ${index + 1}`)
    const where = `${partition} ${index + 1} (${type})`
    if (wanted && !seen?.accepted) {
      sim.law.breach('I10_endpointsHearEverything', `${where} was never told`)
    }
    if (!own && seen) sim.law.breach('I10_endpointsHearEverything', `${where} is another tenant's`)
    if (silent && seen) sim.law.breach('I10_pagesAreSilent', `${where} was told`)
    if (wanted) sim.rare('told to an endpoint')
    if (wanted && id.startsWith('fan_')) sim.rare('an endpoint is told of a fan-out')
  }
}

const TOLD_OF_OTHERS =
  /^(?:subagent\.(?:spawned|announced|failed)|fanout\.(?:created|completed|failed|cancelled))$/

function deliveriesOf(sim: Sim, tenant: string, runId: string): Map<number, Delivery> {
  const found = new Map<number, Delivery>()
  for (const [partition, rows] of sim.store.partitions) {
    if (!partition.startsWith(`${tenant}/delivery/`)) continue
    const { delivery } = JSON.parse(rows.get(HEAD)!.body) as { delivery: Delivery }
    if (delivery.run_id !== runId || delivery.endpoint_id != null) continue
    // Events that stand in no log have no place in it either (`late.ts`).
    if (delivery.seq === 0) continue
    if (found.has(delivery.seq))
      sim.law.breach('I10_oneDeliveryPerEvent', `${runId} ${delivery.seq} has two deliveries`)
    found.set(delivery.seq, delivery)
  }
  return found
}

function I11_acknowledgedIsKept(sim: Sim): void {
  for (const partition of sim.law.acknowledged) {
    if (!sim.law.runs.has(partition) && !sim.law.fanouts.byPartition.has(partition))
      sim.law.breach('I11_acknowledgedIsKept', `${partition} was acknowledged and does not exist`)
  }
}

/** A message that was acknowledged stands in the log once; a run that ends by itself has read it. */
function I11_messagesAreRead(sim: Sim): void {
  for (const { partition, text } of sim.law.messages) {
    const facts = sim.law.runs.get(partition)?.facts ?? []
    const found = facts.filter((fact) => fact.type === 'message.received' && fact.text === text)
    if (found.length !== 1) {
      sim.law.breach('I11_messagesAreKept', `${partition}: ${text}, ${found.length} times`)
    }
    const last = facts.at(-1)
    const { max_steps, max_tokens, max_model_calls, max_cost_usd } =
      sim.law.runs.get(partition)?.spec?.limits ?? {}
    const bounded = (max_steps ?? max_tokens ?? max_model_calls ?? max_cost_usd ?? null) !== null
    const ended = last?.type === 'run.completed' && last.stop_reason === 'end_turn'
    const byItself = ended && !bounded
    if (byItself && !sim.law.effects.conversations.read.has(text)) {
      sim.law.breach('I11_messagesAreRead', `${partition}: nobody has read ${text}`)
    }
  }
}

function I15_noAlarmIsLeft(sim: Sim): void {
  for (const [partition, rows] of sim.store.partitions) {
    for (const [key, { alarm }] of rows) {
      if (alarm) sim.law.breach('I15_noAlarmIsLeft', `${partition} ${key} has an alarm for ever`)
    }
  }
}
