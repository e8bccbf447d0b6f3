/**
 * The end: what was acknowledged and what was seen outside, against what the server shows. Each
 * function returns the violations of one promise as sentences.
 */

import type { Event } from '../../../src/core/run/views/event.ts'
import { messageId } from '../../../src/core/webhook/signature.ts'
import type { Client } from '../../support/launch.ts'
import { transcript } from '../../support/launch.ts'
import type { Ledger } from './acknowledged.ts'
import { fanoutDeliveries, reconcileFanouts } from './fanouts.ts'
import type { FoundDelivery, FoundRun } from './found.ts'
import { listedDeliveries, listedRuns, logsBelow, TERMINAL } from './found.ts'
import type { Outside } from './outside.ts'

type Logs = ReadonlyMap<string, readonly Event[]>

export interface Reconciled {
  readonly violations: readonly string[]
  /** How often each outcome was seen: a load that reaches few of them proves little. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly logs: Logs
}

export async function reconcile(
  server: Client,
  transaction: Ledger,
  outside: Outside,
): Promise<Reconciled> {
  const runs = await listedRuns(server)
  const logs = new Map<string, readonly Event[]>()
  const listed = new Set(runs.map(({ id }) => id))
  for (const { id } of transaction.runs) if (listed.has(id)) await logsBelow(server, id, logs)
  const fanouts = await reconcileFanouts(server, transaction, logs)
  const told = await listedDeliveries(server)
  const violations = [
    ...transaction.violations,
    ...fanouts,
    ...fanoutDeliveries(transaction, outside, told),
    ...runsOf(transaction, runs),
    ...logsOf(logs),
    ...(await announces(server, logs)),
    ...effects(logs, outside),
    ...cancels(transaction, logs, outside),
    ...entries(transaction, logs),
    ...sessions(transaction, runs),
    ...readings(transaction, logs),
    ...deliveries(transaction, logs, outside, told),
  ]
  return { violations, outcomes: outcomesOf(logs), logs }
}

function outcomesOf(logs: Logs): Map<string, number> {
  const outcomes = new Map<string, number>()
  const add = (name: string) => outcomes.set(name, (outcomes.get(name) ?? 0) + 1)
  for (const log of logs.values()) {
    const child = typeof log[0]?.data.parent === 'object' && log[0]?.data.parent !== null
    add(`${child ? 'subagents' : 'runs'}: ${log.at(-1)?.type}`)
    for (const { type, data } of log) if (type === 'tool.result') add(`tools: ${data.status}`)
  }
  return new Map([...outcomes].sort())
}

/** Every 202 is a run, it has ended, and its key has made no other. */
function runsOf(transaction: Ledger, runs: readonly FoundRun[]): string[] {
  return transaction.runs.flatMap(({ id, name }) => {
    const named = runs.filter(({ kind, metadata }) => kind === 'main' && metadata.name === name)
    const found = runs.find((run) => run.id === id)
    if (!found) return [`${name}: run ${id} was accepted and is not there`]
    const wrong = TERMINAL.has(found.status) ? [] : [`${name}: run ${id} is ${found.status}`]
    if (named.length !== 1) wrong.push(`${name}: one key, ${named.length} runs`)
    return wrong
  })
}

const isTerminal = ({ type }: Event): boolean => TERMINAL.has(type.slice('run.'.length))

/** Dense from 1; one terminal event, the last, and no failure. */
function logsOf(logs: Logs): string[] {
  return [...logs].flatMap(([run, log]) => {
    const wrong: string[] = []
    if (log.some(({ seq }, index) => seq !== index + 1)) wrong.push(`${run}: its log has a gap`)
    if (log.findIndex(isTerminal) !== log.length - 1) {
      wrong.push(`${run}: its log does not end with its only terminal event`)
    }
    // Nothing that is asked for here can fail, however often the host is killed.
    const end = log.at(-1)?.type ?? ''
    if (['run.failed', 'run.timed_out'].includes(end)) wrong.push(`${run}: it ended with ${end}`)
    return wrong
  })
}

const announced = ({ type, data }: Event): string | undefined =>
  type === 'subagent.announced' || type === 'subagent.failed'
    ? (data.announce as { run_id: string }).run_id
    : undefined

/** A child is told once at most; exactly once, in log and transcript, where the parent completed. */
async function announces(server: Client, logs: Logs): Promise<string[]> {
  const wrong: string[] = []
  for (const [run, log] of logs) {
    const children = log.filter(({ type }) => type === 'subagent.spawned')
    if (children.length === 0) continue
    const completed = log.at(-1)?.type === 'run.completed'
    const told = (await transcript(server, run))
      .filter(({ role }) => role === 'user')
      .flatMap(({ text = '' }) => [...text.matchAll(/"run_id":"(run_\w+)"/g)].map(([, id]) => id))
    for (const { data } of children) {
      const inLog = log.filter((event) => announced(event) === data.run_id).length
      const inTranscript = told.filter((id) => id === data.run_id).length
      const least = completed ? 1 : 0
      if (inLog > 1 || inLog < least || inTranscript > 1 || inTranscript < least) {
        wrong.push(
          `${run}: ${data.run_id} told ${inLog} times in log, ${inTranscript} in transcript`,
        )
      }
    }
  }
  return wrong
}

/** The ledger's entry that a call of this log names, by call id. */
function entriesByCall(log: readonly Event[]): Map<string, string> {
  const parts = log
    .filter(({ type }) => type === 'assistant.message')
    .flatMap(({ data }) => data.parts as { type: string; id: string; arguments: string }[])
  const named = parts.filter(({ type, arguments: text }) => type === 'call' && /"entry"/.test(text))
  return new Map(named.map((part) => [part.id, JSON.parse(part.arguments).entry as string]))
}

/** At most once; exactly once where the log says ok; never without a call in a log. */
function effects(logs: Logs, outside: Outside): string[] {
  const called = new Set<string>()
  const wrong: string[] = []
  for (const [run, log] of logs) {
    const names = entriesByCall(log)
    const denied = log.filter((one) => one.data.decision === 'deny').map(({ data }) => data.call)
    for (const { type, data } of log) {
      const entry = names.get(String(data.call))
      if (entry === undefined) continue
      if (type === 'tool.call') called.add(entry)
      const count = outside.effects.get(entry)?.length ?? 0
      if (type === 'tool.result' && data.status === 'ok' && count !== 1) {
        wrong.push(`${run}: ${entry} is ok and was performed ${count} times`)
      }
      if (type === 'tool.result' && denied.includes(data.call) && count > 0) {
        wrong.push(`${run}: ${entry} was denied and performed`)
      }
    }
  }
  for (const [entry, times] of outside.effects) {
    if (times.length > 1) wrong.push(`effect ${entry} was performed ${times.length} times`)
    if (!called.has(entry)) wrong.push(`effect ${entry} stands in no log`)
  }
  return wrong
}

/** A request may be on its way while the cancel is committed. */
const WIRE_MS = 500

/** Nothing begins after a cancel: by the logs of the whole tree, and by the clock outside. */
function cancels(transaction: Ledger, logs: Logs, outside: Outside): string[] {
  const byLog = [...logs].flatMap(([run, log]) => {
    const at = log.findIndex(({ type }) => type === 'cancel.requested')
    const late = at < 0 ? [] : log.slice(at).filter(({ type }) => type === 'tool.call')
    return late.map(({ data }) => `${run}: call ${data.call} began after the cancel`)
  })
  const byClock = transaction.cancels.flatMap(({ run, at }) => {
    const log = logs.get(run) ?? []
    const asked = log.filter(({ type }) => type === 'cancel.requested').length
    const ended = Date.parse(log.at(-1)?.created_at ?? '') <= at
    const wrong =
      asked === 1 || (asked === 0 && ended) ? [] : [`${run}: ${asked} cancels in its log`]
    for (const entry of entriesByCall(log).values()) {
      const late = (outside.effects.get(entry) ?? []).filter((time) => time > at + WIRE_MS)
      if (late.length > 0) wrong.push(`${run}: ${entry} was performed after the cancel`)
    }
    return wrong
  })
  return [...byLog, ...byClock]
}

/** Acknowledged messages and decisions stand in the log once. */
function entries(transaction: Ledger, logs: Logs): string[] {
  const count = (run: string, test: (event: Event) => boolean): number =>
    (logs.get(run) ?? [...logs.values()].flat()).filter(test).length
  const messages = transaction.messages.flatMap(({ run, id }) => {
    const found = count(run, (one) => one.data.message_id === id)
    return found === 1 ? [] : [`${run}: message ${id} stands ${found} times in the log`]
  })
  const decisions = transaction.decisions.flatMap(({ run, approval, decision }) => {
    const same = (one: Event) => one.type === 'approval.decided' && one.data.id === approval
    const all = count(run, same)
    const ours = count(run, (one) => same(one) && one.data.decision === decision)
    return all === 1 && ours === 1 ? [] : [`${run}: ${approval} decided ${all} times, ${ours} so`]
  })
  return [...messages, ...decisions]
}

function sessions(transaction: Ledger, runs: readonly FoundRun[]): string[] {
  const bySession = Map.groupBy(
    transaction.runs.filter(({ session }) => session !== undefined),
    ({ session }) => session,
  )
  return [...bySession].flatMap(([session, members]) => {
    const turns = members
      .flatMap(({ id }) => runs.find((run) => run.id === id) ?? [])
      .filter(({ started_at }) => started_at !== null)
      .sort((one, two) => Date.parse(one.started_at ?? '') - Date.parse(two.started_at ?? ''))
    return turns.slice(1).flatMap((turn, index) => {
      const before = turns[index]
      const overlap = Date.parse(turn.started_at ?? '') < Date.parse(before?.ended_at ?? '')
      return overlap ? [`${session}: ${before?.id} and ${turn.id} overlap`] : []
    })
  })
}

const readings = (transaction: Ledger, logs: Logs): string[] =>
  transaction.readings
    .filter(({ run, events }) => JSON.stringify(events) !== JSON.stringify(logs.get(run)))
    .map(({ run, events }) => `${run}: a reader was shown another log (${events.length} events)`)

/** One delivery for the end of every run with a webhook, delivered or waiting; one id, one body. */
function deliveries(
  transaction: Ledger,
  logs: Logs,
  outside: Outside,
  found: readonly FoundDelivery[],
): string[] {
  const wrong: string[] = []
  for (const [event, { ids, bodies }] of outside.heard) {
    if (ids.size !== 1) wrong.push(`${event}: came under ${ids.size} webhook-ids`)
    if (bodies.size !== 1) wrong.push(`${event}: came with ${bodies.size} bodies`)
  }
  for (const { id, webhook } of transaction.runs) {
    const end = logs.get(id)?.at(-1)
    if (!webhook || !end) continue
    const owed = found.filter(({ run_id, seq }) => run_id === id && seq === end.seq)
    const [one] = owed
    if (!one || owed.length > 1) {
      wrong.push(`${id}: ${owed.length} deliveries of its end`)
      continue
    }
    const heard = outside.heard.get(end.id)
    const waiting = one.status === 'pending' && Date.parse(one.next_at ?? '') > Date.now()
    if (one.status !== 'delivered' && !waiting) wrong.push(`${one.id}: is ${one.status}`)
    if (one.status === 'delivered' && !heard?.accepted) wrong.push(`${one.id}: never arrived`)
    if (heard && !heard.ids.has(messageId(one.id))) wrong.push(`${one.id}: came as another id`)
  }
  return wrong
}
