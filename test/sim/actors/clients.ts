/**
 * Callers of the API: they create, talk, look, cancel and follow. A connection may break and an
 * answer may be lost; whoever has a key asks again with it, whoever has none asks for another run.
 */

import { writeNewer } from '../faults/newer.ts'
import { askADayLater, type OldKey } from '../laws/keys.ts'
import { TERMINAL } from '../shadow/shadow.ts'
import { functionsOf } from '../world/functions.ts'
import { fanoutOf, type Known, knownOf, openOf } from '../world/known.ts'
import { type Answer, Line } from '../world/line.ts'
import type {
  Create,
  Fanout,
  OpenFanout,
  Operation,
  PlannedRun,
  Session,
} from '../world/operations.ts'
import { EPOCH } from '../world/process.ts'
import { renamed } from '../world/renamed.ts'
import type { Sim } from '../world/sim.ts'
import { Users } from './answers.ts'
import { halt } from './operator.ts'
import { Pages } from './pages-client.ts'
import { People } from './people.ts'
import { Programs } from './programs.ts'
import { Readers } from './readers.ts'
import { ScheduleClient } from './schedules-client.ts'
import { TenantClient } from './tenant-client.ts'

export class Clients {
  readonly #sim: Sim
  readonly #line: Line
  readonly #readers: Readers
  readonly #people: People
  readonly #users: Users
  readonly #programs: Programs
  /** What each planned name became, once a client knows it. */
  readonly #known = new Map<string, Known>()
  readonly #keys: OldKey[] = []
  /** Clients that still want something; people wait for these. */
  active = 0
  #working = 0

  constructor(sim: Sim, keys: Readonly<Record<string, string>>) {
    this.#sim = sim
    this.#line = new Line(sim, keys)
    this.#readers = new Readers(sim, this.#line)
    this.#people = new People(sim, this.#line, () => this.#working === 0)
    this.#users = new Users(sim, this.#line, () => this.#working === 0)
    this.#programs = new Programs(sim, this.#line, () => this.#working === 0)
  }

  start(operation: Operation): void {
    // Nobody waits for these.
    const works = /^(?:people|users|programs|schedule)$/.test(operation.op) ? 0 : 1
    this.active += 1
    this.#working += works
    this.#sim.schedule.after(operation.at, null, `client ${operation.op} ${operation.name}`, () => {
      void this.#perform(operation).then(() => {
        this.active -= 1
        this.#working -= works
      })
    })
  }

  /** When all else is over, some come with the key that they had. */
  comeBackLater(): void {
    for (const old of this.#keys) {
      if (!this.#sim.chance.fork(`a day later ${old.key}`).flip(0.15)) continue
      this.active += 1
      void askADayLater(this.#sim, this.#line, old).then(() => {
        this.active -= 1
      })
    }
  }

  async #perform(operation: Operation): Promise<void> {
    if (operation.op === 'create') return this.#create(operation)
    if (operation.op === 'fanout') return this.#fanout(operation)
    if (operation.op === 'open') return this.#open(operation)
    if (operation.op === 'session') return this.#session(operation)
    if (operation.op === 'halt') return halt(this.#sim, this.#line, operation)
    if (operation.op === 'belongings')
      return new TenantClient(this.#sim, this.#line, operation).live()
    if (operation.op === 'deny') return this.#people.deny(operation)
    if (operation.op === 'people') return this.#people.look(operation)
    if (operation.op === 'schedule')
      return new ScheduleClient(this.#sim, this.#line, operation).live()
    if (operation.op === 'users') return this.#users.look(operation)
    if (operation.op === 'programs') return this.#programs.look(operation)
    const known = await this.#wait(operation.name)
    if (!known) return
    if (operation.op === 'cancel') return this.#cancel(known)
    if (operation.op === 'follow') return this.#readers.follow(known)
    if (operation.op === 'message') return this.#people.send(known, operation.text)
    if (operation.op === 'newer') return writeNewer(this.#sim, known.partition, operation.ms)
    const answer = await this.#line.ask(known.tenant, 'GET', `/v1/runs/${known.id}/tree`)
    await answer?.response.text()
  }

  // ── Creating ─────────────────────────────────────────────────────────────────────────────────

  async #create(operation: Create): Promise<void> {
    const { tenant, name, keyed, wait } = operation
    const session = await this.#sessionOf(operation)
    if (session === null) return
    const headers: Record<string, string> = wait === undefined ? {} : { prefer: `wait=${wait}` }
    if (keyed) headers['idempotency-key'] = keyOf(name)
    const asked = this.#sim.schedule.now
    const begins = beginOf(operation, EPOCH + asked)
    // Without an idempotency key a second try is a second run, so it asks for another one.
    for (let attempt = 0; attempt < (keyed ? 8 : 4); attempt += 1) {
      // One key is one body.
      const body = { ...bodyOf(operation, keyed ? 0 : attempt, session), ...begins }
      const ask = () => this.#line.ask(tenant, 'POST', '/v1/runs', body, headers)
      const other = keyed === 'twice' && attempt === 0 ? ask() : undefined
      const mine = await ask()
      const answer = mine ?? (await other)
      if (answer?.status === 202 || answer?.status === 200) {
        const { id } = (await answer.response.json()) as { id: string }
        this.#learn(name, knownOf(tenant, 'run', id))
        const answered = this.#sim.schedule.now
        const old = { tenant, key: keyOf(name), plan: operation.plan.id, id, asked, answered }
        if (keyed && session === undefined) this.#keys.push(old)
        if (mine) void other?.then((second) => this.#oneRun(id, second))
        return keyed ? this.#again(operation, session, { headers, begins }, id) : undefined
      }
      if (answer && answer.status < 500) {
        const text = await answer.response.text()
        // Its session has a run that has not ended: that is for who would not wait to know.
        const rejects = session !== undefined && operation.onBusy === 'reject'
        if (answer.status === 409 && rejects && text.includes('session_busy')) {
          return this.#sim.rare('session busy')
        }
        return this.#sim.law.breach('I11_validIsAccepted', `${answer.status} ${text}`)
      }
      await this.#line.sleep(2_000)
    }
  }

  /** Two requests under one key were on their way at once. */
  async #oneRun(id: string, answer: Answer | undefined): Promise<void> {
    if (answer?.status !== 202 && answer?.status !== 200) return
    const said = (await answer.response.json()) as { id: string }
    this.#sim.rare('idempotent replay in flight')
    if (said.id !== id) this.#sim.law.breach('I11_oneKeyOneRun', `${id} and ${said.id} at once`)
  }

  /** The id of the session to join; undefined: none is asked for, null: it never came to be. */
  async #sessionOf({ session }: Create): Promise<string | null | undefined> {
    if (session === undefined) return undefined
    const known = await this.#wait(session)
    if (!known) return null
    return known.kind === 'session' ? known.id : known.id.replace('run_', 'ses_')
  }

  /** The same key again is the same run; with another body it is refused. */
  async #again(
    operation: Create,
    session: string | undefined,
    {
      headers,
      begins,
    }: { readonly headers: Readonly<Record<string, string>>; readonly begins: object },
    id: string,
  ): Promise<void> {
    const { chance, law } = this.#sim
    const same = chance.flip(0.4)
    const differs = !same && chance.flip(0.4)
    if (!same && !differs) return
    await this.#line.sleep(chance.between(0, 20_000))
    const body = { ...bodyOf(operation, differs ? 9 : 0, session), ...begins }
    const more = { 'idempotency-key': headers['idempotency-key']! }
    const answer = await this.#line.insist(4, operation.tenant, 'POST', '/v1/runs', body, more)
    if (!answer) return
    const said = (await answer.response.json()) as { id?: string }
    if (same && said.id !== id) law.breach('I11_oneKeyOneRun', `${id} and ${answer.status}`)
    if (differs && answer.status !== 422) law.breach('I11_oneKeyOneBody', `${id} ${answer.status}`)
    this.#sim.rare(same ? 'idempotent replay' : 'key met another body')
  }

  /** With a key, so that however often it is asked for, there is one. */
  async #fanout(operation: Fanout): Promise<void> {
    const { tenant, name } = operation
    const headers = { 'idempotency-key': keyOf(name) }
    const body = fanoutOf(operation)
    const answer = await this.#line.insist(8, tenant, 'POST', '/v1/fanouts', body, headers)
    if (!answer) return
    if (answer.status !== 202) return this.#refused(answer)
    const { id } = (await answer.response.json()) as { id: string }
    this.#learn(name, knownOf(tenant, 'fanout', id))
    const all = [...this.#sim.law.fanouts.byPartition.keys()]
    const mine = all.filter(
      (partition) =>
        partition.startsWith(`${tenant}/`) && !this.#sim.law.fanouts.isOfPages(partition),
    )
    // Its tenant may have asked for another one, under another key.
    if (mine.length > (this.#sim.twins ? 2 : 1))
      this.#sim.law.breach('I11_oneKeyOneFanout', `${name}: ${mine.join(' ')}`)
  }

  /** By pages: whoever is not sure that a page has arrived hands it in again. */
  async #open(operation: OpenFanout): Promise<void> {
    const { tenant, name } = operation
    const headers = { 'idempotency-key': keyOf(name) }
    const body = openOf(operation)
    const answer = await this.#line.insist(8, tenant, 'POST', '/v1/fanouts', body, headers)
    if (!answer) return
    if (answer.status !== 202) return this.#refused(answer)
    const { id } = (await answer.response.json()) as { id: string }
    const known = knownOf(tenant, 'fanout', id)
    this.#learn(name, known)
    await new Pages(this.#sim, this.#line, known, operation).handIn()
  }

  async #session({ tenant, name }: Session): Promise<void> {
    const headers = { 'idempotency-key': keyOf(name) }
    const answer = await this.#line.insist(8, tenant, 'POST', '/v1/sessions', {}, headers)
    if (!answer) return
    if (answer.status !== 201) return this.#refused(answer)
    const { id } = (await answer.response.json()) as { id: string }
    this.#known.set(name, knownOf(tenant, 'session', id))
  }

  #learn(name: string, known: Known): void {
    this.#known.set(name, known)
    this.#sim.law.acknowledged.add(known.partition)
  }

  async #refused({ status, response }: { status: number; response: Response }): Promise<void> {
    this.#sim.law.breach('I11_validIsAccepted', `${status} ${await response.text()}`)
  }

  // ── Cancelling ───────────────────────────────────────────────────────────────────────────────

  async #cancel({ id, tenant, kind, partition }: Known): Promise<void> {
    const { runs, fanouts } = this.#sim.law
    const log = () => runs.get(partition) ?? fanouts.byPartition.get(partition)
    const lived = !TERMINAL.has(log()?.status ?? '')
    const answer = await this.#line.ask(tenant, 'POST', `/v1/${kind}s/${id}/cancel`, {})
    if (answer?.status !== 200) return
    // It lived when it was asked to stop, and came to its own end all the same.
    if (lived && ['completed', 'failed', 'timed_out'].includes(log()?.status ?? ''))
      this.#sim.rare('finish wins')
    if (kind === 'fanout') return this.#fanoutCancelled(partition)
    const shadow = runs.get(partition)
    const ended = shadow && ['completed', 'failed', 'timed_out'].includes(shadow.status)
    if (ended) this.#sim.rare('cancel too late')
    else if (shadow?.cancelledAt === undefined && shadow?.status !== 'cancelled')
      this.#sim.law.breach('I12_acknowledgedCancelIsKept', `${partition} is ${shadow?.status}`)
    else this.#sim.rare('cancel wins')
  }

  #fanoutCancelled(partition: string): void {
    const shadow = this.#sim.law.fanouts.byPartition.get(partition)
    const ended = shadow?.status === 'completed' || shadow?.status === 'failed'
    this.#sim.rare(ended ? 'cancel of a fan-out too late' : 'cancel of a fan-out wins')
    if (!ended && !shadow?.cancelled) {
      this.#sim.law.breach('I12_acknowledgedCancelIsKept', `${partition} goes on`)
    }
  }

  async #wait(name: string): Promise<Known | undefined> {
    for (let tries = 0; tries < 40; tries += 1) {
      const known = this.#known.get(name)
      if (known) return known
      await this.#line.sleep(1_000)
    }
    return undefined
  }
}

const keyOf = (name: string): string => `the-key-of-${name.replace(/\W/g, '_')}`

/** Who interrupts says so in its plan, where the laws of sessions find it. */
const inputOf = ({ id, ...plan }: PlannedRun, jumps: boolean): string =>
  JSON.stringify({ id, ...(jumps ? { jumps } : {}), ...plan })

/** `at`: ms since 1970, when it is asked for. */
const beginOf = ({ startIn, expiresIn }: Create, at: number) => ({
  ...(startIn === undefined ? {} : { start_at: new Date(at + startIn).toISOString() }),
  ...(expiresIn === undefined ? {} : { expires_in: expiresIn }),
})

function bodyOf(operation: Create, attempt: number, session: string | undefined) {
  const { plan, join, timeout, maxSteps, webhook, onBusy, budget, approvals, model } = operation
  return {
    input: inputOf(renamed(plan, attempt), onBusy === 'interrupt'),
    ...(join ? { join } : {}),
    ...(model ? { model } : {}),
    ...functionsOf(plan),
    ...(webhook ? { webhook: { ...webhook } } : {}),
    ...(session ? { session_id: session, on_busy: onBusy } : {}),
    ...(approvals ? { approvals } : {}),
    limits: {
      ...(timeout === undefined ? {} : { timeout_seconds: timeout }),
      ...(maxSteps === undefined ? {} : { max_steps: maxSteps }),
      ...budget,
    },
  }
}
