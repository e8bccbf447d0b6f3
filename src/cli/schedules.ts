/** `strata schedules`: what is due when, and what became of it; all that is done to one. */

import { oneLine } from '../lib/visible.ts'
import { ask, askJson, type RequestOptions, serverOf } from './api.ts'
import type { Shape } from './manage.ts'
import { jsonLine } from './run.ts'
import type { Terminal } from './terminal.ts'

const TRIES = 3

interface Shown {
  readonly name: string
  readonly status: string
  readonly cron: string | null
  readonly timezone: string | null
  readonly at: string | null
  readonly every_seconds: number | null
  readonly next_at: string | null
  readonly last: { readonly outcome: string } | null
}
interface Fire {
  readonly slot: string
  readonly outcome: string
  readonly run_id: string | null
  readonly reason: string | null
}

/** Each on a line: its name, when it is due, when next, and how the last one went. */
export async function schedules(
  terminal: Terminal,
  { json, wakeups }: Shape & { readonly wakeups?: boolean },
): Promise<number> {
  const kind = wakeups ? 'wakeup' : 'schedule'
  const path = `/v1/schedules?limit=100&kind=${kind}`
  const page = await askJson<{ data: Shown[]; has_more: boolean }>(serverOf(terminal.env), path, {
    tries: TRIES,
  })
  for (const one of page.data) {
    const rhythm = one.cron ? `${one.cron} ${one.timezone}` : (one.at ?? `${one.every_seconds} s`)
    const next = one.next_at ?? '–'
    const line = [one.name, one.status, `[${rhythm}]`, next, one.last?.outcome ?? ''].join(' ')
    terminal.out(json ? jsonLine(one) : oneLine(line.trimEnd()))
  }
  if (page.has_more) terminal.err('There are more than 100: GET /v1/schedules has the others.')
  return 0
}

interface ScheduleOptions extends Shape {
  readonly show?: true
  /** JSON, as `PUT /v1/schedules/{name}` takes it; `-`: the standard input has it. */
  readonly put?: string
  readonly delete?: true
  readonly pause?: string
  readonly resume?: true
  readonly run?: true
  readonly on?: true
  readonly role?: string
  readonly repoDir?: string
}

/** One schedule: what became of its slots, or what is done to it. */
export async function schedule(
  terminal: Terminal,
  name: string,
  asked: ScheduleOptions,
): Promise<number> {
  const { json } = asked
  const server = serverOf(terminal.env)
  const path = `/v1/schedules/${encodeURIComponent(name)}`
  if (asked.delete) {
    await ask(server, path, { method: 'DELETE' })
    terminal.out(json ? jsonLine({ name, deleted: true }) : 'deleted')
    return 0
  }
  if (asked.show) {
    const one = await askJson<object>(server, path, { tries: TRIES })
    terminal.out(json ? jsonLine(one) : JSON.stringify(one, null, 2))
    return 0
  }
  const change = await changeOf(terminal, path, asked)
  if (change) {
    const done = await askJson<Done>(server, ...change)
    terminal.out(json ? jsonLine(done) : oneLine(done.run_id ?? done.status))
    const { webhook_secret: secret } = done
    if (!json && secret) terminal.out(oneLine(`webhook secret, not shown again: ${secret}`))
    return 0
  }
  const page = await askJson<{ data: Fire[] }>(server, `${path}/runs?limit=20`, { tries: TRIES })
  for (const fire of page.data) {
    const line = [fire.slot, fire.outcome, fire.run_id ?? '', fire.reason ?? ''].join(' ')
    terminal.out(json ? jsonLine(fire) : oneLine(line.trimEnd()))
  }
  return 0
}

interface Done {
  readonly status: string
  readonly run_id?: string
  readonly webhook_secret?: string
}

/** The request for a change; undefined: none is asked for. */
async function changeOf(
  terminal: Terminal,
  path: string,
  { put, pause, resume, run, on, role, repoDir }: ScheduleOptions,
): Promise<[string, RequestOptions] | undefined> {
  if (put !== undefined) {
    const json = definition(put === '-' ? await terminal.input() : put)
    return [path, { method: 'PUT', json }]
  }
  if (on) return [`${path}/source`, { method: 'PUT', json: { role, repo_dir: repoDir } }]
  if (pause !== undefined) return [`${path}/pause`, { method: 'POST', json: { reason: pause } }]
  const action = resume ? 'resume' : run ? 'run' : undefined
  return action && [`${path}/${action}`, { method: 'POST' }]
}

function definition(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`--put takes JSON: ${oneLine((error as Error).message)}`)
  }
}
