/**
 * The minute clock of a world, and the index of alarms that it reads: it shows rows late, but one
 * state of a row after the other. A tick that would find nothing is not simulated.
 */

import type { Head } from '../../../src/engine/partition/format.ts'
import { tick } from '../../../src/engine/worker/tick.ts'
import type { Row } from '../../../src/ports/world.ts'
import { isCopied } from './home.ts'
import { EPOCH } from './process.ts'
import type { Sim } from './sim.ts'
import type { Indexed } from './store.ts'

const MINUTE = 60_000
/** Clocks may be wrong by so much: an alarm is looked for a little earlier. */
const EARLY_MS = 6_000

export class MinuteClock {
  readonly #sim: Sim
  #next: number | undefined
  readonly #indexed = new Map<string, number>()

  constructor(sim: Sim) {
    this.#sim = sim
  }

  /** In the home of objects alarms are the object's own, and lists show copies, which come later. */
  copyLater(row: string, update: () => void, of: Indexed): void {
    const { schedule, faults, operations, chance } = this.#sim
    const isCopy = of.what === 'list' && of.under.some(isCopied)
    if (!isCopy || operations === 0) return update()
    const lag = chance.between(200, faults.strikes('index lag') ? 20_000 : 1_200)
    const at = Math.max(schedule.now + lag, this.#indexed.get(row) ?? 0)
    this.#indexed.set(row, at + 0.001)
    schedule.after(at - schedule.now, null, '', update)
  }

  /** A row was written; `update` brings the index up to date. */
  indexLater(row: string, update: () => void): void {
    const { schedule, faults, profile, chance, operations } = this.#sim
    // What is made before anything can go wrong is shown at once.
    const lags = profile !== 'node' && operations > 0 && faults.strikes('index lag')
    const lag = lags ? chance.between(500, 20_000) : 0
    const free = this.#indexed.get(row) ?? 0
    const at = Math.max(schedule.now + lag, free)
    const bring = (): void => {
      update()
      this.#soon()
    }
    if (at <= schedule.now) return bring()
    this.#indexed.set(row, at + 0.001)
    schedule.after(at - schedule.now, null, '', bring)
  }

  #soon(): void {
    const { schedule, store, profile } = this.#sim
    const next = store.nextAlarm()
    if (next === undefined) return
    const { now } = schedule
    const every = profile === 'node' ? 1_000 : MINUTE
    const wanted = Math.ceil((next - EPOCH - EARLY_MS) / every)
    const at = Math.max(Math.ceil((now + 1) / every), wanted) * every
    // An alarm that came later may be due earlier.
    if (this.#next !== undefined && this.#next <= at) return
    this.#next = at
    schedule.after(at - now, null, '', () => {
      if (this.#next !== at) return
      this.#next = undefined
      this.#tick()
      this.#soon()
    })
  }

  #tick(): void {
    const { processes, schedule, faults, law } = this.#sim
    const [process] = processes
    if (!process?.alive || process.pausedUntil > schedule.now) return
    if (faults.strikes('tick lost')) return
    const { queue, clock } = process.world
    const due = this.#due(clock.now())
    const sent = new Set<string>()
    const send: typeof queue.send = (wakes, delayMs) => {
      for (const { partition } of wakes) {
        sent.add(partition)
        law.alarms.I18_theTickBacksOff(partition)
      }
      return queue.send(wakes, delayMs)
    }
    tick({ ...process.world, queue: { send } }).then(
      () => this.#I18_theTickSendsWhatIsDue(due, sent, clock.now()),
      (error: unknown) => law.threw(process, 'tick', error),
    )
  }

  /** What the index shows as due, with the version of its head; not what was pushed already. */
  #due(now: number): Map<string, number> {
    const { store } = this.#sim
    const due = new Map<string, number>()
    for (const partition of store.allDue(now)) {
      const head = store.head(partition)
      if (head && !isPushed(head, now)) due.set(partition, head.version)
    }
    return due
  }

  /** Rule 31: to the end of `due`; but for what others have moved meanwhile. */
  #I18_theTickSendsWhatIsDue(
    due: ReadonlyMap<string, number>,
    sent: ReadonlySet<string>,
    now: number,
  ): void {
    const { store, law } = this.#sim
    const left = store.allDue(now)
    for (const [partition, version] of due) {
      if (sent.has(partition) || !left.has(partition)) continue
      if (store.head(partition)?.version !== version) continue
      const message = `${partition} is due and was not sent, ${sent.size} of ${due.size} were`
      law.breach('I18_theTickSendsWhatIsDue', message)
    }
  }
}

/** A letter keeps it due, and the tick has sent it not long ago. */
function isPushed({ body }: Row, now: number): boolean {
  const { wake_at, redeliveries } = JSON.parse(body) as Pick<Head, 'wake_at' | 'redeliveries'>
  return redeliveries > 0 && wake_at !== null && wake_at > now
}
