/** `strata schedules`: what is due when, and what became of it; pause, resume, run now, switch on a file's. */

import { oneLine } from '../lib/visible.ts'
import { askJson, serverOf } from './api.ts'
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

interface ScheduleOptions {
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
  { json, ...asked }: Shape & ScheduleOptions,
): Promise<number> {
  const server = serverOf(terminal.env)
  const path = `/v1/schedules/${encodeURIComponent(name)}`
  const { pause, resume, run, on } = asked
  const post = (action: string, body: object = {}) =>
    askJson<{ run_id?: string; status: string }>(server, `${path}/${action}`, {
      method: 'POST',
      ...(action === 'pause' ? { json: body } : {}),
    })
  if (on) {
    const layers = { role: asked.role, repo_dir: asked.repoDir }
    const done = await askJson<Shown>(server, `${path}/source`, { method: 'PUT', json: layers })
    terminal.out(json ? jsonLine(done) : oneLine(`${done.status} ${done.next_at ?? '–'}`))
    return 0
  }
  if (pause !== undefined || resume || run) {
    const done =
      pause !== undefined
        ? await post('pause', { reason: pause })
        : await post(resume ? 'resume' : 'run')
    terminal.out(json ? jsonLine(done) : oneLine(done.run_id ?? done.status))
    return 0
  }
  const page = await askJson<{ data: Fire[] }>(server, `${path}/runs?limit=20`, { tries: TRIES })
  for (const fire of page.data) {
    const line = [fire.slot, fire.outcome, fire.run_id ?? '', fire.reason ?? ''].join(' ')
    terminal.out(json ? jsonLine(fire) : oneLine(line.trimEnd()))
  }
  return 0
}
