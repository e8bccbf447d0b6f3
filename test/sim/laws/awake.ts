/**
 * How soon somebody looks at what may go on (I18): a person has decided, somebody has stopped it or
 * sent it word, its turn has come, its time is over, or the one process of a node is back (rule 37).
 * The queue brings it within seconds; the minute clock alone would take a minute, and hide for ever
 * that a wake is never sent. A look is a read of the log for a wake that names it.
 */

import type { Head } from '../../../src/engine/partition/format.ts'
import { TURN_MAIL } from '../../../src/engine/partition/keys.ts'
import { TERMINAL } from '../shadow/shadow.ts'
import { isDisturbed, type Since, sinceNow } from '../world/calm.ts'
import { EPOCH } from '../world/process.ts'
import type { Sim } from '../world/sim.ts'
import type { Applied } from '../world/store.ts'
import type { Round } from './hops.ts'
import { owes } from './retention.ts'

/** The queue's own way, and what stands before a look. */
const SOON_MS = 3_000
/** Queues delay by whole seconds. */
const STEP_MS = 1_000
/** What comes later is the minute clock's (rule 31). */
const NEAR_MS = 15 * 60_000
/** Twice the longest push: whoever's alarm comes later waits for its time and for its children. */
const RESTS_MS = 2 * NEAR_MS
/** By somebody outside, or by the parent. */
const HANDED_IN = ['cancel.requested', 'message.received']

type Law = 'I18_wordIsHeeded' | 'I18_theTurnIsTaken' | 'I18_timersWake' | 'I18_aRestartGoesOn'

interface Expected extends Since {
  readonly law: Law
  readonly partition: string
  /** From when on a look counts, and until when it must have come. */
  readonly from: number
  readonly until: number
}

export class Awake {
  readonly #sim: Sim
  readonly #expected = new Map<string, Expected>()
  /** When each parked run's time is over, as its head says it, and since when somebody is sent. */
  readonly #timers = new Map<string, { readonly over: number; readonly since: Since }>()

  constructor(sim: Sim) {
    this.#sim = sim
  }

  /** After each commit to a run or fan-out. */
  committed({ partition, writes, head }: Applied): void {
    if (this.#sim.inject || this.#sim.law.newer.has(partition)) return
    const turn = writes.some(({ op, key }) => op === 'put' && key === TURN_MAIL)
    const holder = this.#sim.law.holders.headOf(partition)?.lease
    if (turn && !holder) this.#expect('I18_theTurnIsTaken', partition)
    if (!head) return
    const now = JSON.parse(head.body) as Head
    this.#timer(partition, now)
    const told = writes.some((write) => write.op === 'put' && isWord(write))
    const log = this.#logOf(partition)
    const goesOn = !TERMINAL.has(log?.status ?? '') || owes(now.outbox)
    if (told && !now.lease && goesOn) this.#expect('I18_wordIsHeeded', partition)
  }

  /** A newer release has it now: what happens then is not ours. */
  forget(partition: string): void {
    this.#timers.delete(partition)
    for (const [key, one] of this.#expected)
      if (one.partition === partition) this.#expected.delete(key)
  }

  /**
   * The one process of a node has come back; nobody else can have been at anything. What rests is
   * left alone: no lease, and an alarm later than any that a pending effect has (rule 9).
   */
  restarted(): void {
    const { schedule, law } = this.#sim
    for (const { partition, status } of law.runs.values()) {
      if (!['queued', 'running'].includes(status) || law.newer.has(partition)) continue
      const head = law.holders.headOf(partition)
      const alarm = (head?.wake_at ?? Number.POSITIVE_INFINITY) - EPOCH
      if (!head?.lease && alarm - schedule.now > RESTS_MS) continue
      this.#expect('I18_aRestartGoesOn', partition)
    }
  }

  /** So has an object: what was leased or had not begun when it died goes on (rule 37). */
  reborn(holds: (partition: string) => boolean): void {
    const { law } = this.#sim
    for (const { partition, status } of law.runs.values()) {
      if (!['queued', 'running'].includes(status) || !holds(partition)) continue
      if (law.newer.has(partition)) continue
      const head = law.holders.headOf(partition)
      if (status === 'queued' || head?.lease) this.#expect('I18_aRestartGoesOn', partition)
    }
  }

  /** Somebody reads a log; `round`: for this wake, `now`: as it stood then. */
  read(round: Round | undefined, partition: string, now = this.#sim.schedule.now): void {
    if (round?.wake.partition !== partition) return
    for (const [key, { partition: other, from }] of this.#expected) {
      if (other === partition && from <= now) this.#expected.delete(key)
    }
  }

  #timer(partition: string, { wake_at, lease }: Head): void {
    const { schedule, skews, law } = this.#sim
    const shadow = law.runs.get(partition)
    const parked = shadow?.status === 'waiting' && shadow.waitingOn !== 'session' && !lease
    const at = parked && wake_at !== null ? wake_at - EPOCH : undefined
    const key = `I18_timersWake ${partition}`
    const known = this.#timers.get(partition)
    if (at === known?.over && this.#expected.has(key)) return
    this.#expected.delete(key)
    if (at === undefined) return
    // Whoever was at it meanwhile sends nobody anew: the wake from before, and what befell it, stand.
    const since = known?.over === at ? known.since : sinceNow(this.#sim)
    this.#timers.set(partition, { over: at, since })
    const near = at > schedule.now && at - schedule.now < NEAR_MS
    // Whoever's clock is fast comes before the time.
    if (near && !skews) this.#expect('I18_timersWake', partition, at, since)
  }

  #expect(
    law: Law,
    partition: string,
    from = this.#sim.schedule.now,
    since = sinceNow(this.#sim),
  ): void {
    if (this.#sim.inject || this.#sim.law.holders.orphaned) return
    const key = `${law} ${partition}`
    const known = this.#expected.get(key)
    if (known && !isDisturbed(this.#sim, known)) return
    const until = from + SOON_MS + STEP_MS
    this.#expected.set(key, { law, partition, from, until, ...since })
  }

  /** Before each event: what should have come until now. */
  I18_somebodyLooks(): void {
    const { now } = this.#sim.schedule
    for (const [key, expected] of this.#expected) {
      if (now <= expected.until) continue
      this.#expected.delete(key)
      if (isDisturbed(this.#sim, expected)) continue
      const { law, partition, from, until } = expected
      this.#sim.law.breach(law, `${partition} is not looked at in ${until - from} ms`)
    }
  }

  #logOf(partition: string): { readonly status: string } | undefined {
    const { runs, fanouts } = this.#sim.law
    return runs.get(partition) ?? fanouts.byPartition.get(partition)
  }
}

/** A row of facts that somebody outside has handed in. */
function isWord({ key, body }: { readonly key: string; readonly body: string }): boolean {
  if (!key.startsWith('f/')) return false
  const { facts } = JSON.parse(body) as {
    facts: readonly { readonly type: string; readonly by?: unknown }[]
  }
  if (facts.some(({ type }) => type.endsWith('.created'))) return false
  return facts.some(
    ({ type, by }) => HANDED_IN.includes(type) || (type === 'approval.decided' && by !== null),
  )
}
