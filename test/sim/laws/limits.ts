/**
 * The laws of a tenant's limits (I25). Runs are counted from the logs, files from the bucket, tokens
 * and dollars as the model has billed them; of the engine's own rows only this is read: when a
 * place or a reservation was given, and that it goes in time.
 */

import { LIMITS } from '../../../src/core/limits.ts'
import type { RunFact } from '../../../src/core/run/facts.ts'
import type { TenantLimits } from '../../../src/core/tenant-limits.ts'
import type { ModelAnswer } from '../../../src/ports/world.ts'
import { CALL_USD } from '../actors/actors.ts'
import { TERMINAL } from '../shadow/shadow.ts'
import type { Limit } from '../world/operations.ts'
import { EPOCH, type Process } from '../world/process.ts'
import type { Sim } from '../world/sim.ts'
import type { Applied } from '../world/store.ts'

/** Two clocks differ by so much. */
const SKEW_MS = 10_000
/** Who has a place may be at making the run for so long. */
const MAKING_MS = 60_000
/** A reservation counts as spent after so long. */
const CALL_MS = LIMITS.quota_call_seconds * 1_000
/** Storage that is slow, between a look at the row and what comes of it. */
const LOOK_MS = 200_000
/** Then a pass gives up, and another one begins. */
const WAITS_MS = 40_000
const DAY_MS = 86_400_000
const CALL_TOKENS = 110
/** Sums of dollars are rounded. */
const CENT = 0.01

/** How many places were taken, from this moment on. */
interface Taken {
  readonly at: number
  readonly count: number
}
interface Reserved {
  readonly at: number
  readonly by: Process | undefined
  readonly tokens: number
  readonly dollars: number
}
interface Amount {
  readonly tokens: number
  readonly dollars: number
}
interface SpendingRow {
  readonly day: string
  readonly of_day: Amount
  readonly reserved: Readonly<Record<string, Amount>>
}
interface Refused {
  readonly code?: string
  readonly limit?: string
  readonly value?: number
}

export class Limits {
  readonly #sim: Sim
  #limit: Limit | undefined
  /** When each run was given its place first. */
  readonly #given = new Map<string, number>()
  #places: ReadonlySet<string> = new Set()
  readonly #taken: Taken[] = []
  readonly #reserved = new Map<string, Reserved>()
  #spending: SpendingRow | undefined
  #largest: Amount = { tokens: 0, dollars: 0 }
  /** Answers of the model, by when they were given. */
  readonly #billed: number[] = []
  /** Calls of it whose cost nobody knows: under way, aborted, or lost with who had asked. */
  #unknown = 0
  readonly #born = new Map<string, number>()

  constructor(sim: Sim) {
    this.#sim = sim
  }

  set(limit: Limit | undefined): void {
    this.#limit = limit
  }

  isLimited(tenant: string): boolean {
    return this.#limit?.tenant === tenant
  }

  committed({ partition, head }: Applied): void {
    if (!this.#limit || partition.split('/')[0] !== this.#limit.tenant) return
    const [, kind, name] = partition.split('/')
    if (kind === 'quota' && name === 'live-runs' && head) this.#placesWritten(head.body)
    if (kind === 'quota' && name === 'spending' && head) this.#spendingWritten(head.body)
    if (kind === 'run' && !this.#born.has(partition))
      this.#born.set(partition, this.#sim.schedule.now)
    if (kind === 'run') this.#I25_liveRunsAreBounded(this.#limit)
    if (kind === 'run') this.#note()
  }

  // ── Live runs ────────────────────────────────────────────────────────────────────────────────

  #placesWritten(body: string): void {
    const { places } = JSON.parse(body) as { places: Record<string, number> }
    this.#places = new Set(Object.keys(places))
    for (const partition of this.#places) {
      if (!this.#given.has(partition)) this.#given.set(partition, this.#sim.schedule.now)
    }
    this.#note()
  }

  #live(tenant: string): string[] {
    const all = [...this.#sim.law.runs.values()]
    const own = all.filter(({ partition, facts, status }) => {
      return partition.startsWith(`${tenant}/`) && facts.length > 0 && !TERMINAL.has(status)
    })
    return own.map(({ partition }) => partition)
  }

  /** One that is created more than a minute after it was given its place may be too many. */
  #I25_liveRunsAreBounded({ tenant, limits: { live_runs } }: Limit): void {
    if (live_runs === undefined) return
    const live = this.#live(tenant)
    const late = live.filter((partition) => this.#isLate(partition))
    if (live.length === live_runs) this.#sim.rare('live runs at their limit')
    if (live.length - late.length <= live_runs) return
    const message = `${live.length} runs of ${tenant} live, of ${live_runs} that may`
    this.#sim.law.breach('I25_liveRunsAreBounded', message)
  }

  #isLate(partition: string): boolean {
    const given = this.#given.get(partition)
    const born = this.#born.get(partition)
    if (given === undefined || born === undefined) return false
    const late = born - given > MAKING_MS - SKEW_MS
    if (late) this.#sim.rare('a run is created long after it was given its place')
    return late
  }

  /** Runs that live, and those that were given a place and may still come to be. */
  #note(): void {
    const limit = this.#limit
    if (!limit) return
    const { now } = this.#sim.schedule
    const making = [...this.#places].filter((partition) => {
      const isThere = (this.#sim.law.runs.get(partition)?.facts.length ?? 0) > 0
      return !isThere && now - (this.#given.get(partition) ?? 0) <= MAKING_MS + SKEW_MS
    })
    this.#taken.push({ at: now, count: this.#live(limit.tenant).length + making.length })
  }

  /** The most places that were taken at a moment since then. */
  #mostTaken(since: number): number {
    const before = this.#taken.findLast(({ at }) => at <= since)?.count ?? 0
    return Math.max(before, ...this.#taken.flatMap(({ at, count }) => (at > since ? count : [])))
  }

  // ── Refusals ─────────────────────────────────────────────────────────────────────────────────

  /** A client asks for something; returns since when what it is told may be so. */
  asks(tenant: string): number {
    if (this.#limit?.tenant === tenant) this.#note()
    return this.#sim.schedule.now
  }

  async refused(since: number, tenant: string, response: Response): Promise<void> {
    const { code, limit = '' } = (await response.json()) as Refused
    const mine = this.#limit
    if (code !== 'quota_exceeded' || mine?.tenant !== tenant || !(limit in mine.limits)) {
      const message = `${tenant} is refused: ${code} ${limit}`
      return this.#sim.law.breach('I11_validIsAccepted', message)
    }
    this.#sim.rare(`refused by a limit: ${limit}`)
    if (limit === 'live_runs') this.#I25_refusedOnlyWhenFull(mine, since, 'a request')
    else this.#I25_refusedOnlyWhenUsedUp(mine, limit)
  }

  #I25_refusedOnlyWhenFull({ tenant, limits }: Limit, since: number, what: string): void {
    const most = this.#mostTaken(since)
    if (most >= (limits.live_runs ?? 0)) return
    const message = `${what} of ${tenant} is refused for ${limits.live_runs} runs, and ${most} live`
    this.#sim.law.breach('I25_refusedOnlyWhenFull', message)
  }

  /** Of a day: all that was billed since it began, and calls whose cost nobody knows, as reserved. */
  #I25_refusedOnlyWhenUsedUp({ tenant, limits }: Limit, limit: string): void {
    const value = limits[limit as keyof TenantLimits] ?? 0
    const { now } = this.#sim.schedule
    // For who comes at midnight, yesterday may not be over by every clock.
    const began = now - ((EPOCH + now - SKEW_MS) % DAY_MS) - SKEW_MS
    const answers = this.#billed.filter((at) => at >= began - LOOK_MS).length
    const isTokens = limit.startsWith('tokens')
    const each = isTokens ? CALL_TOKENS : CALL_USD
    const lost = this.#unknown * (isTokens ? this.#largest.tokens : this.#largest.dollars)
    const old = [...this.#reserved.values()].filter(
      (one) => now - one.at > CALL_MS - SKEW_MS && isExcused(one),
    )
    const dead = old.reduce((sum, one) => sum + (isTokens ? one.tokens : one.dollars), 0)
    const most = answers * each + lost + dead + CENT
    if (most >= value) return
    const message = `${tenant} is refused for ${value} ${limit}, and at most ${most} are used`
    this.#sim.law.breach('I25_refusedOnlyWhenUsedUp', message)
  }

  /** A fact joins a log: a subagent may be refused for want of a place. */
  recorded(partition: string, fact: RunFact): void {
    const limit = this.#limit
    if (!limit || partition.split('/')[0] !== limit.tenant) return
    if (fact.type === 'run.failed' && fact.error?.code === 'quota_exceeded')
      this.#sim.rare('a run fails at a limit')
    if (fact.type !== 'tool.result' || fact.status !== 'error') return
    if (!/^quota_exceeded: .* runs that have not ended/.test(String(fact.text))) return
    this.#sim.rare('a subagent is refused by a limit')
    this.#I25_refusedOnlyWhenFull(limit, this.#sim.schedule.now - LOOK_MS, 'a subagent')
  }

  // ── Tokens and dollars ───────────────────────────────────────────────────────────────────────

  /** How long a call of a model may have waited, ready to be made. */
  waitsMs(partition: string): number {
    const { tenant, limits = {} } = this.#limit ?? {}
    const isOurs = partition.split('/')[0] === tenant
    const isLimited = limits.tokens_per_day !== undefined || limits.dollars_per_day !== undefined
    return isOurs && isLimited ? WAITS_MS : 0
  }

  /** Returns what to call when it has ended; `isKnown`: with what it has cost. */
  callBegins(tenant: string | undefined): (isKnown: boolean) => void {
    if (tenant === undefined || tenant !== this.#limit?.tenant) return () => {}
    this.#unknown += 1
    return (isKnown) => {
      if (isKnown) this.#unknown -= 1
    }
  }

  /** A model is asked; returns what to call with its answer. */
  modelAsked(tenant: string | undefined): (answer: ModelAnswer) => ModelAnswer {
    if (tenant === undefined || tenant !== this.#limit?.tenant) return (answer) => answer
    const { schedule } = this.#sim
    return (answer) => {
      this.#billed.push(schedule.now)
      this.#I25_spendingIsBounded(this.#limit!)
      return answer
    }
  }

  /**
   * A call is reserved before it is made, with more than it can cost: what was billed in a day never
   * exceeds the limit. Near midnight clocks are of two minds, and an answer counts in either day.
   */
  #I25_spendingIsBounded({ tenant, limits }: Limit): void {
    const { now } = this.#sim.schedule
    const day = Math.floor((EPOCH + now) / DAY_MS)
    const isOf = (at: number): boolean =>
      Math.floor((EPOCH + at - SKEW_MS) / DAY_MS) === day &&
      Math.floor((EPOCH + at + SKEW_MS) / DAY_MS) === day
    const today = this.#billed.filter(isOf).length
    const days = Math.floor((EPOCH + now + SKEW_MS) / DAY_MS) - Math.floor(EPOCH / DAY_MS) + 1
    const all = this.#billed.length
    const over = (each: number, limit: number | undefined): boolean =>
      limit !== undefined && (today * each > limit + CENT || all * each > days * limit + CENT)
    if (!over(CALL_TOKENS, limits.tokens_per_day) && !over(CALL_USD, limits.dollars_per_day)) return
    const message = `${today} calls of ${tenant} today, ${all} in ${days} days`
    this.#sim.law.breach('I25_spendingIsBounded', message)
  }

  #spendingWritten(body: string): void {
    const row = JSON.parse(body) as SpendingRow
    const { now } = this.#sim.schedule
    const by = this.#sim.law.holders.committer
    const before = this.#spending
    this.#spending = row
    const gone = [...this.#reserved].filter(([id]) => !(id in row.reserved))
    if (before && row.day < before.day) {
      const message = `after ${before.day} it is ${row.day} again`
      this.#sim.law.breach('I25_aDayIsCountedOnce', message)
    }
    if (before?.day === row.day) this.#I25_eachCallCountsOnce(before, row, gone)
    for (const [id, one] of gone) {
      if (now - one.at > CALL_MS - SKEW_MS) this.#I25_theLivingSettle(id, one)
      this.#reserved.delete(id)
    }
    for (const [id, { tokens, dollars }] of Object.entries(row.reserved)) {
      const known = this.#reserved.get(id)
      if (known) this.#I25_reservationsEnd(id, known)
      else this.#reserved.set(id, { at: now, by, tokens, dollars })
      const { tokens: most, dollars: dear } = this.#largest
      this.#largest = { tokens: Math.max(most, tokens), dollars: Math.max(dear, dollars) }
    }
    this.#I25_reservedWithinTheLimit(row)
  }

  /** Spent and reserved together are within the limit, whoever writes them. */
  #I25_reservedWithinTheLimit({ of_day, reserved }: SpendingRow): void {
    const { tenant, limits } = this.#limit!
    const all = [of_day, ...Object.values(reserved)]
    const sum = (unit: keyof Amount): number => all.reduce((of, one) => of + one[unit], 0)
    const within = (limit: number | undefined, unit: keyof Amount): boolean =>
      limit === undefined || sum(unit) <= limit + CENT
    if (within(limits.tokens_per_day, 'tokens') && within(limits.dollars_per_day, 'dollars')) return
    const message = `${tenant} has spent and reserved ${sum('tokens')} tokens, ${sum('dollars')} USD`
    this.#sim.law.breach('I25_reservedWithinTheLimit', message)
  }

  /** What is spent grows by calls that are reserved no more, and by what they had reserved at most. */
  #I25_eachCallCountsOnce(
    before: SpendingRow,
    now: SpendingRow,
    gone: readonly (readonly [string, Reserved])[],
  ): void {
    for (const unit of ['tokens', 'dollars'] as const) {
      const grown = now.of_day[unit] - before.of_day[unit]
      const most = gone.reduce((sum, [, one]) => sum + one[unit], 0)
      if (grown >= -CENT && grown <= most + CENT) continue
      const message = `${grown} ${unit} more are spent by calls that had reserved ${most}`
      this.#sim.law.breach('I25_eachCallCountsOnce', message)
    }
  }

  #I25_reservationsEnd(id: string, { at }: Reserved): void {
    const kept = this.#sim.schedule.now - at
    if (kept <= CALL_MS + 2 * SKEW_MS) return
    const message = `${id} is still reserved after ${kept} ms`
    this.#sim.law.breach('I25_reservationsEnd', message)
  }

  /** It is not settled by anybody but the time: who had reserved it has died, or had trouble. */
  #I25_theLivingSettle(id: string, one: Reserved): void {
    this.#sim.rare('a reservation ends by its time')
    if (isExcused(one)) {
      this.#unknown += 1
      return
    }
    const message = `${id} of ${one.by?.name} was never settled`
    this.#sim.law.breach('I25_theLivingSettle', message)
  }

  // ── Files, and the end ───────────────────────────────────────────────────────────────────────

  I25_filesAreBounded(key: string): void {
    const limit = this.#limit
    const most = limit?.limits.files
    if (!limit || most === undefined || !key.startsWith(`${limit.tenant}/files/`)) return
    const { objects } = this.#sim.objects.list(`${limit.tenant}/files/`)
    if (objects.length === most) this.#sim.rare('files at their limit')
    if (objects.length <= most) return
    const message = `${limit.tenant} has ${objects.length} files, of ${most} that it may have`
    this.#sim.law.breach('I25_filesAreBounded', message)
  }

  atRest(): void {
    if (this.#limit) this.#sim.rare('a tenant has limits')
    for (const [id, one] of this.#reserved) this.#I25_theLivingSettle(id, one)
  }
}

/** Who had reserved it could not settle it. */
const isExcused = ({ at, by }: Reserved): boolean =>
  !by?.alive || by.troubledAt >= at || by.pausedUntil >= at
