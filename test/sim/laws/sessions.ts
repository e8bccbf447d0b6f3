/**
 * The laws of sessions (I3): runs have the turn in the order of their tickets, never two at a time,
 * each is told of all that was said before it, and at the end nobody holds or waits for the turn.
 */

import type { SessionState } from '../../../src/core/session/session.ts'
import { homeOfSession } from '../../../src/engine/partition/home.ts'
import type { SessionHead } from '../../../src/engine/session/store.ts'
import { decode } from '../../../src/lib/bytes.ts'
import type { ModelRequest } from '../../../src/ports/world.ts'
import { planIds, planStart } from '../actors/actors.ts'
import type { Shadow } from '../shadow/shadow.ts'
import { TERMINAL } from '../shadow/shadow.ts'
import type { Sim } from '../world/sim.ts'
import type { Applied } from '../world/store.ts'

interface ShadowSession {
  readonly partition: string
  state: SessionState | undefined
  /** Plans of the runs that have begun, in that order. */
  readonly began: { readonly run: Shadow; readonly plan: string }[]
}

export class Sessions {
  readonly #byPartition = new Map<string, ShadowSession>()
  /** Tickets of runs that interrupt; a seed has one session of several runs. */
  readonly #jumps = new Set<number>()
  readonly #sim: Sim

  constructor(sim: Sim) {
    this.#sim = sim
  }

  committed({ partition, writes, head }: Applied): void {
    const known = this.#byPartition.get(partition)
    const session = known ?? { partition, state: undefined, began: [] }
    this.#byPartition.set(partition, session)
    let interrupted: string | undefined
    for (const write of writes) {
      if (write.op !== 'put') continue
      if (write.key.startsWith('t/') && /"jumps\\*":true/.test(write.body)) {
        this.#jumps.add(Number(write.key.slice(2)))
        interrupted = session.state?.current?.run_id
        if (interrupted) this.#sim.rare('a run interrupts another')
      }
      if (write.alarm || /^(?:[rl]\/|active$)/.test(write.key)) continue
      this.#breach('I15_letterHasAnAlarm', `${partition} ${write.key}`)
    }
    if (!head) return
    const { session: state, redeliveries } = JSON.parse(head.body) as SessionHead
    if (redeliveries > 0) this.#sim.rare('session sent again')
    if (!head.alarm && (state.turn_due || state.interrupts !== undefined)) {
      this.#breach('I15_alarmIsSet', `${partition} owes a turn or an interruption`)
    }
    this.I12_interruptionsAreOwed(session, state, interrupted)
    this.I3_theTurnPassesInOrder(session, state)
    this.I3_ticketsWaitInOrder(partition, state)
    session.state = state
  }

  /** Rule 25: who is interrupted is owed that from the ticket on, and until it was told or ended. */
  I12_interruptionsAreOwed(
    { partition, state: was }: ShadowSession,
    { interrupts }: SessionState,
    interrupted: string | undefined,
  ): void {
    const outbox = interrupted ?? was?.interrupts
    if (outbox === undefined || interrupts === outbox) return
    const run = this.#runOf(partition, outbox)
    if (run && (TERMINAL.has(run.status) || run.cancelledAt !== undefined)) return
    this.#breach('I12_interruptionsAreOwed', `${partition}: ${outbox} goes on and is not told`)
  }

  I3_ticketsWaitInOrder(partition: string, { queue }: SessionState): void {
    const waiting = queue.map(({ ticket }) => ticket).filter((ticket) => !this.#jumps.has(ticket))
    if (waiting.every((ticket, index) => index === 0 || ticket > waiting[index - 1]!)) return
    this.#breach('I3_ticketsWaitInOrder', `${partition}: ${waiting.join(' ')}`)
  }

  I3_theTurnPassesInOrder({ partition, state: was }: ShadowSession, now: SessionState): void {
    const holder = was?.current?.run_id
    if (!was || holder === now.current?.run_id) return
    const over = (id: string): boolean => TERMINAL.has(this.#runOf(partition, id)?.status ?? '')
    if (holder && !over(holder)) {
      this.#breach('I3_theTurnPassesInOrder', `${partition}: ${holder} lost its turn and goes on`)
    }
    const next = was.queue.find(({ run_id }) => !over(run_id))?.run_id
    const taken = now.current?.run_id
    const fresh = taken !== undefined && !was.queue.some(({ run_id }) => run_id === taken)
    if (taken === undefined || taken === next || (fresh && next === undefined)) return
    // One that was cancelled while it waited may get its turn before its end has been handed in.
    if (!fresh && over(taken)) return
    this.#breach('I3_theTurnPassesInOrder', `${partition}: ${taken} has the turn of ${next}`)
  }

  /** `run.started` of a run with a ticket. */
  began(run: Shadow, plan: string | undefined): void {
    const { session_id, turn, id } = run.spec!
    if (!turn) return
    const partition = `${run.partition.split('/')[0]}/session/${session_id}`
    const session = this.#byPartition.get(partition)
    if (session?.state?.current?.run_id !== id) {
      const holder = session?.state?.current?.run_id
      this.#breach('I3_onlyTheTurnRuns', `${id} begins in ${partition}, the turn is ${holder}'s`)
      return
    }
    const other = session.began.find((one) => !TERMINAL.has(one.run.status))
    if (other) {
      this.#breach('I3_runsNeverOverlap', `${id} begins while ${other.run.partition} goes on`)
    }
    session.began.push({ run, plan: plan ?? '' })
    if (session.began.length > 1) this.#sim.rare('turn of a session taken over')
  }

  /** What was said before is in the conversation: every run that began before, once, in order. */
  I3_historyIsWhole(run: Shadow, request: ModelRequest): void {
    if (!run.spec?.turn) return
    const { session_id } = run.spec
    const session = this.#byPartition.get(`${run.partition.split('/')[0]}/session/${session_id}`)
    const all = session?.began ?? []
    const mine = all.findIndex((one) => one.run === run)
    // A worker that has not heard of the end asks for one that has never begun.
    if (mine < 0 && TERMINAL.has(run.status)) return
    // It is asked before its start is committed: then all that have begun came before.
    const before = (mine < 0 ? all : all.slice(0, mine)).map(({ plan }) => plan)
    const said = planIds(request.messages.slice(0, planStart(request.messages)))
    // An own session begins with the run whose name it has.
    const first = this.#isOwn(run.partition, session_id) ? said.slice(1) : said
    if (first.join() === before.join()) return
    const message = `${run.partition}: told of ${said.join(' ')}, where ${before.join(' ')} ran`
    this.#breach('I3_historyIsWhole', message)
  }

  /** The session has the name of its first run, which had no ticket. */
  #isOwn(partition: string, session: string): boolean {
    return this.#runOf(partition, session.replace('ses_', 'run_')) !== undefined
  }

  #runOf(partition: string, id: string): Shadow | undefined {
    return this.#sim.law.runs.get(`${partition.split('/')[0]}/run/${id}`)
  }

  atRest(): void {
    for (const session of this.#byPartition.values()) {
      this.I15_theTurnIsFree(session)
      this.I3_rememberedOnce(session)
    }
  }

  I15_theTurnIsFree({ partition, state }: ShadowSession): void {
    const left = this.#sim.store.read(partition).find(({ key }) => /^(?:t|in)\//.test(key))
    if (left) this.#breach('I15_theTurnIsFree', `${partition} ${left.key} is left`)
    if (!state) return
    const { current, queue, turn_due, interrupts } = state
    if (current || queue.length > 0 || turn_due || interrupts !== undefined) {
      const text = JSON.stringify({ current, queue, turn_due, interrupts })
      this.#breach('I15_theTurnIsFree', `${partition}: ${text} for ever`)
    }
  }

  /** The transcript holds what each run said, once, in the order of their turns. */
  I3_rememberedOnce({ partition, state, began }: ShadowSession): void {
    if (!state) return
    const tenant = partition.split('/')[0]!
    const texts = state.segments.map((digest) => {
      const object = this.#sim.objects.get(homeOfSession(tenant, state.id) + digest)
      return object ? decode(object.body) : '[]'
    })
    const messages = texts.flatMap((text) => JSON.parse(text) as ModelRequest['messages'])
    const said = planIds(messages)
    const ran = began.map(({ plan }) => plan)
    this.I3_everyStepIsRemembered({ partition, state, began }, messages)
    const first = this.#isOwn(partition, state.id) ? said.slice(1) : said
    if (first.join() === ran.join()) return
    const message = `${partition} remembers ${said.join(' ')}, where ${ran.join(' ')} ran`
    this.#breach('I3_rememberedOnce', message)
  }

  /** Also one whose calls were cut short: they were made, and may have happened. */
  I3_everyStepIsRemembered(
    { partition, state, began }: ShadowSession,
    messages: ModelRequest['messages'],
  ): void {
    const own = this.#runOf(partition, state?.id.replace('ses_', 'run_') ?? '')
    const steps = began.reduce((sum, { run }) => sum + run.steps, own?.steps ?? 0)
    const answers = messages.filter(({ role }) => role === 'assistant').length
    if (answers === steps) return
    const message = `${partition} remembers ${answers} of ${steps} answers`
    this.#breach('I3_everyStepIsRemembered', message)
  }

  #breach(id: string, message: string): void {
    this.#sim.law.breach(id, message)
  }
}
