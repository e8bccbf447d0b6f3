/** `strata schedules`: what is due when, and what became of it; all that is done to one. */

import type { components, Strata } from '../client/index.ts'
import { oneLine } from '../lib/visible.ts'
import { clientOf } from './api.ts'
import type { Shape } from './manage.ts'
import { jsonLine } from './run.ts'
import type { Terminal } from './terminal.ts'

/** Each on a line: its name, when it is due, when next, and how the last one went. */
export async function schedules(
  terminal: Terminal,
  { json, wakeups }: Shape & { readonly wakeups?: boolean },
): Promise<number> {
  const kind = wakeups ? 'wakeup' : 'schedule'
  const page = await clientOf(terminal.env).schedules.list({ limit: 100, kind })
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
  const { schedules: some } = clientOf(terminal.env)
  if (asked.delete) {
    await some.delete(name)
    terminal.out(json ? jsonLine({ name, deleted: true }) : 'deleted')
    return 0
  }
  if (asked.show) {
    const one = await some.get(name)
    terminal.out(json ? jsonLine(one) : JSON.stringify(one, null, 2))
    return 0
  }
  const done = await changed(terminal, some, name, asked)
  if (done) {
    terminal.out(json ? jsonLine(done) : oneLine(done.run_id ?? done.status ?? ''))
    const { webhook_secret: secret } = done
    if (!json && secret) terminal.out(oneLine(`webhook secret, not shown again: ${secret}`))
    return 0
  }
  const page = await some.runs(name, { limit: 20 })
  for (const fire of page.data) {
    const line = [fire.slot, fire.outcome, fire.run_id ?? '', fire.reason ?? ''].join(' ')
    terminal.out(json ? jsonLine(fire) : oneLine(line.trimEnd()))
  }
  return 0
}

interface Done {
  readonly status?: string
  readonly run_id?: string
  readonly webhook_secret?: string
}

/** The schedule after the change; undefined: no change is asked for. */
async function changed(
  terminal: Terminal,
  some: Strata['schedules'],
  name: string,
  { put, pause, resume, run, on, role, repoDir }: ScheduleOptions,
): Promise<Done | undefined> {
  if (put !== undefined)
    return await some.put(name, definition(put === '-' ? await terminal.input() : put))
  if (on) return await some.putSource(name, { role, repo_dir: repoDir })
  if (pause !== undefined) return await some.pause(name, { reason: pause })
  if (resume) return await some.resume(name)
  return run ? await some.run(name) : undefined
}

/** As it was given: the server says what is wrong with it. */
function definition(text: string): components['schemas']['SchedulePut'] {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`--put takes JSON: ${oneLine((error as Error).message)}`)
  }
}
