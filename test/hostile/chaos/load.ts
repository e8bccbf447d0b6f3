/**
 * The load: clients that do everything the API offers at once and note what was acknowledged. Each
 * request that creates something bears an idempotency key and is repeated until it is answered.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Ledger } from './acknowledged.ts'
import type { Answer } from './ask.ts'
import type { Host } from './host.ts'
import type { Outside } from './outside.ts'
import { read } from './reader.ts'

export interface Load {
  readonly host: Host
  readonly outside: Outside
  readonly transaction: Ledger
  readonly random: () => number
  /** Whether no new work begins. */
  stopped(): boolean
  /** Whether readers give up. */
  over(): boolean
  readonly readers: Promise<void>[]
}

const CLIENTS = 5
const RESENT = 0.3
const READ = 0.5
const BREATH_MS = 60

/** Runs until it is stopped; ends when every client has finished what it began. */
export async function runLoad(load: Load): Promise<void> {
  let next = 0
  const client = async () => {
    while (!load.stopped()) {
      next += 1
      const act = ACTS[next % ACTS.length] ?? fanOut
      await act(load, `n${next}x`)
      await sleep(BREATH_MS * 2 * load.random())
    }
  }
  await Promise.all([approver(load), ...Array.from({ length: CLIENTS }, client)])
}

/** What must be accepted, and its id; some requests are sent twice at once under their key. */
async function keyed(load: Load, name: string, path: string, json: object): Promise<string> {
  const { host, transaction, random } = load
  const init = { method: 'POST', json, headers: { 'idempotency-key': `chaos-${name}` } }
  const send = () => host.ask(path, init)
  const again = random() < RESENT
  const answers = await Promise.all(again ? [send(), send()] : [send()])
  // The other request of this key is still being dealt with: the same question later.
  for (const [index, answer] of answers.entries()) {
    if (answer.status === 409) answers[index] = await later(send)
  }
  if (again) transaction.retries += 1
  const ids = new Set(answers.map((answer) => accepted(load, name, answer)))
  const [id = ''] = ids
  if (ids.size > 1) transaction.violations.push(`${name}: one key, ${[...ids].join(' and ')}`)
  return id
}

async function create(load: Load, name: string, request: object): Promise<string> {
  const { host, transaction, random } = load
  const webhook = random() < 0.7
  const json = {
    ...request,
    metadata: { name },
    ...(webhook ? { webhook: { url: load.outside.hookUrl } } : {}),
  }
  const id = await keyed(load, name, '/v1/runs', json)
  const session = (request as { session_id?: string }).session_id
  transaction.runs.push({ id, name, session, webhook })
  // Somebody always reads.
  if (random() < READ || load.readers.length === 0) {
    const reading = read(host, id, random, load.over)
    load.readers.push(reading.then((done) => void transaction.readings.push(done)))
  }
  return id
}

async function later(send: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; ; tries += 1) {
    const answer = await send()
    if (answer.status !== 409 || tries > 100) return answer
    await sleep(BREATH_MS)
  }
}

function accepted(load: Load, name: string, { status, body }: Answer): string {
  if (status !== 202) load.transaction.violations.push(`${name}: ${status} ${JSON.stringify(body)}`)
  return String(body.id)
}

const append = (entry: string) => `@call mcp__ledger__append ${JSON.stringify({ entry })}`

export async function fanOut(load: Load, name: string): Promise<void> {
  const task = `${append(`${name}.{i}`)}\n@say part {i}`
  const count = 2 + Math.floor(4 * load.random())
  const spawn = `@spawn ${count} ${JSON.stringify({ task, label: 'part {i}' })}`
  await create(load, name, { input: `${spawn}\n@await\n@say saw {results}` })
}

async function approval(load: Load, name: string): Promise<void> {
  const call = `@call mcp__ledger__pay ${JSON.stringify({ entry: `${name}.pay` })}`
  await create(load, name, { input: `${call}\n@say {last}` })
}

/** Steps with an effect each; cancelled somewhere between, the parent of a child or not. */
async function cancelled(load: Load, name: string): Promise<void> {
  const steps = (whose: string) =>
    [1, 2, 3, 4].map((step) => `@slow 80\n${append(`${whose}.${step}`)}`).join('\n')
  // Each child has entries of its own: `{i}` is its number.
  const child = JSON.stringify({ task: `${steps(`${name}.{i}`)}\n@say part`, label: 'part {i}' })
  const alone = load.random() < 0.5
  const input = alone
    ? `${steps(name)}\n@say late`
    : `@spawn 2 ${child}\n@await\n@say saw {results}`
  const run = await create(load, name, { input })
  await sleep(1_800 * load.random())
  const answer = await load.host.ask(`/v1/runs/${run}/cancel`, { method: 'POST', json: {} })
  if (answer.status === 202 || answer.status === 200) {
    load.transaction.cancels.push({ run, at: Date.now() })
  } else if (answer.status !== 409) accepted(load, `${name} cancel`, answer)
}

async function session(load: Load, name: string): Promise<void> {
  const init = { method: 'POST', json: {}, headers: { 'idempotency-key': `session-${name}` } }
  const made = await load.host.ask('/v1/sessions', init)
  const session_id = String(made.body.id)
  for (const turn of ['a', 'b', 'c']) {
    const input = `@slow 40\n${append(`${name}.${turn}`)}\n@say ${turn}`
    await create(load, `${name}${turn}`, { input, session_id })
  }
}

async function messages(load: Load, name: string): Promise<void> {
  const { host, transaction } = load
  const input = `@slow 200\n${append(`${name}.1`)}\n@slow 200\n${append(`${name}.2`)}\n@say end`
  const run = await create(load, name, { input })
  for (const nth of [1, 2, 3]) {
    await sleep(150 * load.random())
    const json = { content: `message ${nth} to ${name}` }
    const init = { method: 'POST', json, headers: { 'idempotency-key': `message-${name}-${nth}` } }
    const answer = await host.ask(`/v1/runs/${run}/messages`, init)
    if (answer.status === 202)
      transaction.messages.push({ run, id: String(answer.body.message_id) })
    // 409: it has ended before.
    else if (answer.status !== 409) accepted(load, `${name} message`, answer)
  }
}

/** Some tasks with an effect each; some are cancelled, some have a closing run. */
async function fanout(load: Load, name: string): Promise<void> {
  const { host, transaction, random, outside } = load
  const count = 2 + Math.floor(3 * random())
  const tasks = Array.from({ length: count }, (_, index) => ({
    task: `@slow 40\n${append(`${name}.${index}`)}\n@say part ${index}`,
  }))
  const closes = random() < 0.5
  const then = closes ? { then: { input: '@say all of it' } } : {}
  const json = { tasks, ...then, webhook: { url: outside.hookUrl } }
  const id = await keyed(load, name, '/v1/fanouts', json)
  const cancelled = random() < 0.3
  transaction.fanouts.push({ id, name, count, closes, cancelled })
  if (!cancelled) return
  await sleep(800 * random())
  const { status } = await host.ask(`/v1/fanouts/${id}/cancel`, { method: 'POST', json: {} })
  if (status !== 200) transaction.violations.push(`${name}: its cancel was answered ${status}`)
}

const ACTS = [fanOut, approval, cancelled, session, messages, fanout]

/** Decides whatever is pending: yes or no, at times twice, at times both. */
async function approver(load: Load): Promise<void> {
  const { host, transaction, random } = load
  while (!load.over()) {
    const pending = await host.ask('/v1/approvals?limit=50')
    for (const { id, run_id } of (pending.body.data ?? []) as { id: string; run_id: string }[]) {
      const decision = random() < 0.7 ? 'approve' : 'deny'
      const other = decision === 'approve' ? 'deny' : 'approve'
      const decide = (json: object) =>
        host.ask(`/v1/approvals/${id}/decision`, { method: 'POST', json })
      const { status } = await decide({ decision })
      if (status === 200) transaction.decisions.push({ run: run_id, approval: id, decision })
      if (status !== 200 || random() < 0.5) continue
      const same = await decide({ decision })
      // Late (410): the run has gone on and ended in the meantime.
      if (same.status !== 200 && same.status !== 410) {
        transaction.violations.push(`${id}: the same decision again is answered ${same.status}`)
      }
      const contrary = await decide({ decision: other })
      if (contrary.status !== 409 && contrary.status !== 410) {
        transaction.violations.push(`${id}: the contrary decision is answered ${contrary.status}`)
      }
    }
    await sleep(100)
  }
}
