/**
 * Runs of every kind that a change of versions may meet: ended, waiting for a person, with half of
 * their subagents done, in a session with a successor; and what must be true of them at the end.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Client,
  createRun,
  eventPages,
  type RunShown,
  untilEnd,
} from '../../support/launch.ts'

/** One that was accepted, and how it must end. */
interface Accepted {
  readonly id: string
  readonly what: string
  readonly text: RegExp
  /** Answers of the model in its own log; undefined: a fan-out, which asks none. */
  readonly answers: number | undefined
}

export interface Work {
  readonly label: string
  readonly all: readonly Accepted[]
  /** Ended before the change: its events as they were shown then. */
  readonly ended: { readonly id: string; readonly events: string }
  /** The runs that wait for a person. */
  readonly asking: readonly string[]
}

interface Fanout {
  readonly id: string
  readonly status: string
  readonly children: Readonly<Record<string, number>>
  readonly output: { readonly text: string } | null
}

const PATIENCE_MS = 120_000

export async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const found = await ask()
    if (found !== undefined) return found
    if (performance.now() > end) throw new Error(`${what}: not within ${PATIENCE_MS / 1_000} s`)
    await sleep(100)
  }
}

/** Writing a file needs a person's word. */
export async function askForWrites(client: Client): Promise<void> {
  const policy = await client.ask('/v1/policy')
  await client.get('/v1/policy', {
    method: 'PUT',
    headers: { 'if-match': policy.headers.get('etag') ?? '"0"' },
    json: { approvals: { file_write: 'ask' } },
  })
}

const CHILDREN = 5
const TASKS = 8

export interface Beginning {
  readonly label: string
  /** Where ends are told. */
  readonly hook: string
}

/** Returns in the middle of all of it. */
export async function begin(client: Client, { label, hook }: Beginning): Promise<Work> {
  const webhook = { url: hook, events: ['run.completed'] }
  const run = async (what: string, input: string, more: object = {}): Promise<string> =>
    (await createRun(client, { input, webhook, label: `${label} ${what}`, ...more })).id
  const write = (name: string): string =>
    `@call file_write {"path":"${name}.txt","content":"${name}"}\n@say ${name} written`
  const ended = await run('ended', `@say ${label} ended`)
  await untilEnd(client, ended)
  const session = ended.replace('run_', 'ses_')
  const asks = await run('asks', write(`${label}-asks`))
  const turn = await run('turn', write(`${label}-turn`), { session_id: session })
  const next = await run('next', `@say ${label} next`, { session_id: session })
  const call = JSON.stringify({ task: `@slow 2500\n@say ${label} sub {i}`, wait: true })
  const waiting = await run('waits', `@spawn 3 ${call}\n@say ${label} {tools} {last}`)
  const task = JSON.stringify({ task: `@slow 2500\n@say ${label} part {i}`, label: 'part {i}' })
  const parent = await run('parent', `@spawn ${CHILDREN} ${task}\n@await\n@say ${label} {results}`)
  const fanout = await client.get<Fanout>('/v1/fanouts', {
    method: 'POST',
    json: {
      tasks: Array.from({ length: TASKS }, (_, i) => ({
        task: `@slow 2500\n@say ${label} task ${i}`,
      })),
      then: { input: `@say ${label} all {results}` },
    },
  })
  for (const id of [asks, turn])
    await until(`${label}: ${id} asks`, async () =>
      (await approvalOf(client, id)) ? true : undefined,
    )
  await until(`${label}: some tasks are done and some are not`, async () => {
    const { children } = await client.get<Fanout>(`/v1/fanouts/${fanout.id}`)
    return (children.completed ?? 0) > 0 && (children.completed ?? 0) < TASKS ? true : undefined
  })
  const accepted = (id: string, what: string, text: string, answers?: number): Accepted => {
    return { id, what: `${label} ${what}`, text: new RegExp(`^${label}${text}`), answers }
  }
  const reports = ' 3 A subagent has reported'
  return {
    label,
    all: [
      accepted(ended, 'ended', ' ended$', 1),
      accepted(asks, 'asks', '-asks written$', 2),
      accepted(turn, 'turn', '-turn written$', 2),
      accepted(next, 'next', ' next$', 1),
      accepted(waiting, 'waits', reports, 2),
      accepted(parent, 'parent', ` ${CHILDREN}$`),
      accepted(fanout.id, 'fan-out', ` all ${TASKS}$`),
    ],
    ended: { id: ended, events: JSON.stringify(await eventPages(client, ended)) },
    asking: [asks, turn],
  }
}

interface Asked {
  readonly id: string
  readonly run_id: string
  readonly args_hash: string
}

const approvalOf = async (client: Client, run: string): Promise<Asked | undefined> =>
  (await client.get<{ data: Asked[] }>('/v1/approvals')).data.find(({ run_id }) => run_id === run)

/** Yes to those that ask, as far as this version touches them. Lists may lag. */
export async function approve(client: Client, { asking }: Work): Promise<void> {
  for (const run of asking) {
    await until(`${run} is decided`, async () => {
      const shown = await client.ask(pathOf(run))
      const body = (await shown.json()) as { status: string | number; detail?: string }
      // Decided before, or left alone.
      if (isNewer(shown, body) || !LIVE.has(String(body.status))) return true
      const asked = await approvalOf(client, run)
      if (!asked) return undefined
      const json = { decision: 'approve', args_hash: asked.args_hash }
      const path = `/v1/approvals/${asked.id}/decision`
      await client.get(path, { method: 'POST', json })
      return true
    })
  }
}

/** Of each the end, or that it is refused because a newer release wrote it. */
export async function rest(client: Client, { all }: Work): Promise<{ refused: readonly string[] }> {
  const refused: string[] = []
  for (const { id, what } of all) {
    const isRefused = await until(`${what} ends`, async () => {
      const answer = await client.ask(pathOf(id))
      const body = (await answer.json()) as { status: string | number; detail?: string }
      if (isNewer(answer, body)) return true
      if (answer.status !== 200)
        throw new Error(`${what}: ${answer.status} ${JSON.stringify(body)}`)
      return LIVE.has(String(body.status)) ? undefined : false
    })
    if (isRefused) refused.push(what)
  }
  return { refused }
}

const isNewer = ({ status }: Response, { detail }: { readonly detail?: string }): boolean =>
  status === 503 && detail === 'The data was written by a newer release; retry the request.'

const LIVE = new Set(['queued', 'running', 'waiting'])
const pathOf = (id: string): string => `/v1/${id.startsWith('fan_') ? 'fanouts' : 'runs'}/${id}`

/** Sentences about all that is not as it must be. */
export async function faultsOf(client: Client, { all, ended }: Work): Promise<readonly string[]> {
  const faults: string[] = []
  const fault = (what: string, sentence: string): unknown => faults.push(`${what}: ${sentence}`)
  const was = JSON.stringify(await eventPages(client, ended.id))
  if (was !== ended.events) fault(ended.id, `its events were ${ended.events} and are ${was}`)
  for (const { id, what, text, answers } of all) {
    const shown = await client.get<RunShown>(pathOf(id))
    if (shown.status !== 'completed' || !text.test(shown.output?.text ?? ''))
      fault(what, `${shown.status}, ${JSON.stringify(shown.output ?? shown.error)}, not ${text}`)
    const events = await eventPages(client, id)
    const seqs = events.map(({ seq }) => seq)
    if (new Set(seqs).size !== seqs.length) fault(what, `its log repeats itself: ${seqs}`)
    const ends = events.filter(({ type }) => /\.(completed|failed|cancelled|timed_out)$/.test(type))
    const own = ends.filter(({ type }) => /^(run|fanout)\./.test(type))
    if (own.length !== 1) fault(what, `it ended ${own.length} times`)
    if (answers === undefined) continue
    const mine = events.filter(({ type }) => type === 'assistant.message').length
    if (mine !== answers) fault(what, `${mine} answers of the model instead of ${answers}`)
  }
  return faults
}
