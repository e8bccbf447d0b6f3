/** `strata schedules`: lists due times and results, and manages individual schedules. */

import type { components, Strata } from '../client/index.ts'
import { oneLine } from '../lib/invisible-characters.ts'
import { clientOf } from './api.ts'
import type { Selection, Shape } from './manage.ts'
import { jsonLine } from './run.ts'
import { scheduleFiles } from './schedule-files.ts'
import { tableOf } from './table.ts'
import type { Terminal } from './terminal.ts'

type Schedule = components['schemas']['Schedule']

interface ListOptions extends Shape, Selection {
  readonly wakeups?: boolean
}

/** Prints all schedules as a table, followed by the schedule files of layers that are off. */
export async function schedules(terminal: Terminal, options: ListOptions): Promise<number> {
  const { json, wakeups } = options
  const strata = clientOf(terminal.env)
  const kind = wakeups ? 'wakeup' : 'schedule'
  const all: Schedule[] = []
  for await (const entry of strata.schedules.list({ limit: 100, kind })) all.push(entry)
  const switchedOn = new Set(all.flatMap(({ source }) => source?.key ?? []))
  const files = wakeups ? [] : await scheduleFiles(terminal, strata, options)
  const off = files.filter(({ key }) => !switchedOn.has(key))
  if (json) {
    for (const entry of all) terminal.out(jsonLine(entry))
    for (const { key, reason } of off) terminal.err(oneLine(`${key} is disabled: ${reason}`))
    return 0
  }
  const rows = [...all.map(rowOf), ...off.map(({ cells }) => cells)]
  for (const line of tableOf(HEADS, rows)) terminal.out(line)
  return 0
}

const HEADS = ['name', 'status', 'cron/at/every', 'timezone', 'next_at', 'last', 'reason']

function rowOf({ name, status, pause, next_at, last, running, ...when }: Schedule) {
  const rhythm = when.cron ?? when.at ?? (when.every_seconds && everyText(when.every_seconds))
  const delayReason = running.find(({ reason }) => reason !== null)?.reason
  const reason = pause ? (pause.detail ?? pause.reason) : delayReason
  return [name, status, rhythm, when.timezone, next_at, last?.outcome, reason]
}

const UNITS = { d: 86_400, h: 3_600, m: 60, s: 1 } as const

/** Formats an interval as schedule files do. */
function everyText(seconds: number): string {
  const [unit, size] = Object.entries(UNITS).find(([, size]) => seconds % size === 0)!
  return `${seconds / size}${unit}`
}

interface ScheduleOptions extends Shape {
  readonly show?: true
  /** JSON body for `PUT /v1/schedules/{name}`, or `-` to read standard input. */
  readonly put?: string
  readonly delete?: true
  readonly pause?: string
  readonly resume?: true
  readonly run?: true
  readonly on?: true
  readonly role?: string
  readonly repoDir?: string
}

/** Shows the slots of a schedule, or changes the schedule. */
export async function schedule(
  terminal: Terminal,
  name: string,
  options: ScheduleOptions,
): Promise<number> {
  const { json } = options
  const { schedules: some } = clientOf(terminal.env)
  if (options.delete) {
    await some.delete(name)
    terminal.out(json ? jsonLine({ name, deleted: true }) : 'deleted')
    return 0
  }
  if (options.show) {
    const entry = await some.get(name)
    terminal.out(json ? jsonLine(entry) : JSON.stringify(entry, null, 2))
    return 0
  }
  const done = await changed(terminal, some, name, options)
  if (done) {
    terminal.out(json ? jsonLine(done) : oneLine(done.run_id ?? done.status ?? ''))
    const { webhook_secret: secret } = done
    if (!json && secret) terminal.out(oneLine(`webhook secret (shown only once): ${secret}`))
    return 0
  }
  const page = await some.runs(name, { limit: 20 })
  const rows = page.data.map((fire) => [fire.slot, fire.outcome, fire.run_id, fire.reason])
  const lines = json
    ? page.data.map(jsonLine)
    : tableOf(['slot', 'outcome', 'run_id', 'reason'], rows)
  for (const line of lines) terminal.out(line)
  return 0
}

interface Done {
  readonly status?: string
  readonly run_id?: string
  readonly webhook_secret?: string
}

/**
 * Applies the requested change and returns the changed schedule, or undefined if no change is
 * requested.
 */
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

/** Parses a schedule definition without validation; the server reports errors. */
function definition(text: string): components['schemas']['SchedulePut'] {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`--put requires valid JSON: ${oneLine((error as Error).message)}`)
  }
}
