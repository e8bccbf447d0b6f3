/**
 * Callers of the API: they create, look, cancel, and follow streams. A connection may break and an
 * answer may be lost; a reader that reconnects with `Last-Event-ID` must end with exactly the log.
 */

import type { Operation, PlannedRun } from './plan.ts'
import type { Process } from './process.ts'
import type { Sim } from './sim.ts'

const PATIENCE_MS = 90_000

interface Answer {
  readonly status: number
  readonly response: Response
  readonly process: Process
}

interface Known {
  readonly id: string
  readonly tenant: string
  readonly kind: 'run' | 'fanout'
}

export class Clients {
  readonly #sim: Sim
  readonly #keys: Readonly<Record<string, string>>
  /** The run of each planned root, once a client knows it. */
  readonly #known = new Map<string, Known>()
  /** Clients that still want something. */
  active = 0

  constructor(sim: Sim, keys: Readonly<Record<string, string>>) {
    this.#sim = sim
    this.#keys = keys
  }

  start(operation: Operation): void {
    this.active += 1
    this.#sim.schedule.after(operation.at, null, `client ${operation.op} ${operation.name}`, () => {
      void this.#perform(operation).then(() => {
        this.active -= 1
      })
    })
  }

  async #perform(operation: Operation): Promise<void> {
    if (operation.op === 'create') return this.#create(operation)
    if (operation.op === 'fanout') return this.#fanout(operation)
    const run = await this.#wait(operation.name)
    if (!run) return
    if (operation.op === 'cancel') return this.#cancel(run)
    if (operation.op === 'follow') return this.#follow(run)
    const answer = await this.#ask(run.tenant, 'GET', `/v1/runs/${run.id}/tree`)
    await answer?.response.text()
  }

  async #create(operation: Extract<Operation, { op: 'create' }>): Promise<void> {
    const { tenant, name, join, timeout, maxSteps, webhook, wait } = operation
    // Without an idempotency key a second try is a second run, so it asks for another one.
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const body = {
        input: JSON.stringify(renamed(operation.plan, attempt)),
        ...(join ? { join } : {}),
        ...(webhook ? { webhook: { ...webhook } } : {}),
        limits: {
          ...(timeout === undefined ? {} : { timeout_seconds: timeout }),
          ...(maxSteps === undefined ? {} : { max_steps: maxSteps }),
        },
      }
      const headers: Record<string, string> = wait === undefined ? {} : { prefer: `wait=${wait}` }
      const answer = await this.#ask(tenant, 'POST', '/v1/runs', body, headers)
      if (answer?.status === 202 || answer?.status === 200) {
        const { id } = (await answer.response.json()) as { id: string }
        this.#known.set(name, { id, tenant, kind: 'run' })
        this.#sim.law.acknowledged.add(`${tenant}/run/${id}`)
        return
      }
      if (answer && answer.status < 500) {
        this.#sim.law.breach(
          'I11_validIsAccepted',
          `${answer.status} ${await answer.response.text()}`,
        )
        return
      }
      await this.#sleep(2_000)
    }
  }

  /** With a key, so that however often it is asked for, there is one. */
  async #fanout(operation: Extract<Operation, { op: 'fanout' }>): Promise<void> {
    const { tenant, name, tasks, closing, join, webhook } = operation
    const body = {
      tasks: tasks.map((plan) => ({ task: JSON.stringify(plan) })),
      ...(join ? { join } : {}),
      ...(closing ? { then: { input: JSON.stringify(closing) } } : {}),
      ...(webhook ? { webhook: { ...webhook } } : {}),
    }
    const headers = { 'idempotency-key': `the-key-of-${name}` }
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const answer = await this.#ask(tenant, 'POST', '/v1/fanouts', body, headers)
      if (answer?.status === 202) {
        const { id } = (await answer.response.json()) as { id: string }
        this.#known.set(name, { id, tenant, kind: 'fanout' })
        this.#sim.law.acknowledged.add(`${tenant}/fanout/${id}`)
        return this.#onlyOne(tenant, name)
      }
      if (answer && answer.status < 500) {
        const text = await answer.response.text()
        return this.#sim.law.breach('I11_validIsAccepted', `${answer.status} ${text}`)
      }
      await this.#sleep(2_000)
    }
  }

  #onlyOne(tenant: string, name: string): void {
    const all = [...this.#sim.law.fanouts.byPartition.keys()]
    const mine = all.filter((partition) => partition.startsWith(`${tenant}/`))
    if (mine.length > 1) this.#sim.law.breach('I11_oneKeyOneFanout', `${name}: ${mine.join(' ')}`)
  }

  async #cancel({ id, tenant, kind }: Known): Promise<void> {
    const answer = await this.#ask(tenant, 'POST', `/v1/${kind}s/${id}/cancel`, {})
    if (answer?.status !== 200) return
    if (kind === 'fanout') return this.#fanoutCancelled(`${tenant}/fanout/${id}`)
    const partition = `${tenant}/run/${id}`
    const shadow = this.#sim.law.runs.get(partition)
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

  /** Reads the stream to its end over as many connections as it takes. */
  async #follow({ id, tenant }: { id: string; tenant: string }): Promise<void> {
    const seen: { seq: number; text: string }[] = []
    let pause = 500
    for (let connection = 0; connection < 400; connection += 1) {
      const last = seen.at(-1)?.seq
      const headers: Record<string, string> = { accept: 'text/event-stream' }
      if (last !== undefined) headers['last-event-id'] = String(last)
      const answer = await this.#ask(tenant, 'GET', `/v1/runs/${id}/events`, undefined, headers)
      if (answer?.status === 204) return this.#compare(`${tenant}/run/${id}`, seen)
      if (answer?.status === 200) {
        const before = seen.length
        await this.#read(answer, seen)
        pause = seen.length > before ? 500 : Math.min(60_000, pause * 2)
      }
      if (connection > 0) this.#sim.rare('reader reconnected')
      await this.#sleep(pause)
    }
  }

  async #read({ response, process }: Answer, seen: { seq: number; text: string }[]): Promise<void> {
    const reader = response.body!.getReader()
    const broken = this.#broken(process)
    let text = ''
    for (;;) {
      // A stream that fails is a connection that breaks.
      const next = reader.read().catch(() => undefined)
      const chunk = await Promise.race([next, broken.promise])
      if (chunk === undefined || chunk.done) break
      text += Buffer.from(chunk.value).toString()
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) {
        const seq = /^id: (\d+)$/m.exec(block)?.[1]
        if (seq !== undefined)
          seen.push({ seq: Number(seq), text: /^data: (.*)$/m.exec(block)![1]! })
      }
    }
    broken.forget()
    if (process.alive) await reader.cancel().catch(() => undefined)
  }

  /** Resolves when the connection breaks: its process dies, or chance cuts it. */
  #broken(process: Process) {
    const { faults, schedule, chance } = this.#sim
    let end: (value: undefined) => void = () => {}
    const promise = new Promise<undefined>((resolve) => {
      end = resolve
    })
    const forget = process.onDeath(() => end(undefined))
    if (faults.strikes('client disconnect')) {
      schedule.after(chance.between(100, 30_000), null, 'client disconnects', () => end(undefined))
    }
    return { promise, forget }
  }

  #compare(partition: string, seen: readonly { seq: number; text: string }[]): void {
    const { law } = this.#sim
    const facts = law.runs.get(partition)?.facts ?? []
    const dense = seen.every(({ seq }, index) => seq === index + 1)
    if (!dense || seen.length !== facts.length) {
      const seqs = seen.map(({ seq }) => seq).join(' ')
      return law.breach('I9_readersSeeTheLog', `${partition}: ${seqs}, of ${facts.length}`)
    }
    seen.forEach(({ text }, index) => {
      const event = JSON.parse(text) as { type: string; seq: number }
      if (event.type !== facts[index]?.type)
        law.breach('I9_readersSeeTheLog', `${partition}: ${event.seq} is ${event.type}`)
      law.I22_noSecret(text, 'a stream')
    })
    this.#sim.rare('stream read to its end')
  }

  /** One request to whichever process is there; undefined when no answer came. */
  async #ask(
    tenant: string,
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<Answer | undefined> {
    const { processes, chance, schedule, faults } = this.#sim
    const doors = processes.filter((one) => one.alive && one.pausedUntil <= schedule.now)
    if (doors.length === 0) return undefined
    const process = chance.pick(doors)
    const headers = { authorization: `Bearer ${this.#keys[tenant]}`, ...more }
    const init: RequestInit = { method, headers }
    if (body !== undefined) {
      init.body = JSON.stringify(body)
      init.headers = { ...headers, 'content-type': 'application/json' }
    }
    const lost = faults.strikes('client lost answer')
    return new Promise((resolve) => {
      const forget = process.onDeath(() => resolve(undefined))
      schedule.after(PATIENCE_MS, null, '', () => resolve(undefined))
      Promise.resolve(process.app.request(path, init)).then((response) => {
        forget()
        schedule.note(`    ${process.name} ${method} ${path.slice(0, 16)} → ${response.status}`)
        resolve(lost ? undefined : { status: response.status, response, process })
      })
    })
  }

  async #wait(name: string): Promise<Known | undefined> {
    for (let tries = 0; tries < 40; tries += 1) {
      const run = this.#known.get(name)
      if (run) return run
      await this.#sleep(1_000)
    }
    return undefined
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.#sim.schedule.after(ms, null, '', resolve))
  }
}

/** The same plan for another run: every name in it is new. */
function renamed(plan: PlannedRun, attempt: number): PlannedRun {
  if (attempt === 0) return plan
  const suffix = `_${attempt}`
  return {
    ...plan,
    id: plan.id + suffix,
    steps: plan.steps.map((step) => ({
      ...step,
      calls: step.calls.map((call) => ({
        ...call,
        token: call.token + suffix,
        ...(call.child ? { child: renamed(call.child, attempt) } : {}),
      })),
    })),
  }
}
