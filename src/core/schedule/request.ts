/**
 * Schedule request, with the same fields for every endpoint, and the schedule definition built from
 * it.
 */

import { cronFault, sixFields, zoneOf } from '../../lib/cron.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { parseTime } from '../../lib/time.ts'
import { canonicalOf } from '../../lib/url.ts'
import { LIMITS } from '../limits.ts'
import { type Refusal, refusal } from '../problem.ts'
import { type Formatted, formatted } from '../webhook/format.ts'
import type { Definition, ScheduledRun } from './schedule.ts'
import { everyMs, templateFault } from './template.ts'
import type { When } from './when.ts'

type Optional<T> = { readonly [K in keyof T]?: T[K] | null | undefined }

/** Schedule request. In an update, omitted members keep their values, and null removes a value. */
export interface ScheduleRequest extends Optional<Omit<ScheduledRun, 'webhook'>> {
  readonly cron?: string | null | undefined
  readonly timezone?: string | null | undefined
  /** RFC 3339. */
  readonly at?: string | null | undefined
  /** Interval between slots: a number of seconds, or a number with a unit. */
  readonly every?: number | string | null | undefined
  readonly description?: string | null | undefined
  readonly overlap?: Definition['overlap'] | null | undefined
  readonly catch_up?: Definition['catch_up'] | null | undefined
  readonly catch_up_window_seconds?: number | null | undefined
  readonly jitter_seconds?: number | null | undefined
  readonly ends_at?: string | null | undefined
  readonly webhook?: WebhookAsked | null | undefined
}
interface WebhookAsked extends Formatted {
  readonly url: string
  readonly secret?: string | undefined
  readonly events?: readonly string[] | undefined
}

export const at = (pointer: string, message: string): Refusal =>
  refusal('invalid_request', `${message} (${pointer})`, { errors: [{ pointer, message }] })

/**
 * Builds a schedule definition. `previous` is the definition to update; `now` is in milliseconds
 * since 1970.
 */
export function definitionFrom(
  request: ScheduleRequest,
  now: number,
  previous?: Definition,
): Outcome<Definition, Refusal> {
  const { description, overlap, catch_up, jitter_seconds, ends_at, webhook, ...members } = request
  const { cron: _, timezone: __, at: ___, every: ____, ...more } = members
  const { catch_up_window_seconds: window, ...run } = more
  const when = whenOf(request, now, previous?.when)
  if (!when.ok) return when
  const end = ends_at == null ? undefined : parseTime(ends_at)
  if (ends_at != null && end === undefined) return fail(at('/ends_at', 'must be a valid time'))
  const scheduled = runOf(run, webhook, previous?.run)
  if (!scheduled.ok) return scheduled
  const pick = <T>(value: T | null | undefined, current: T | undefined, initial: T): T =>
    value === undefined ? (current ?? initial) : (value ?? initial)
  return ok({
    description: pick(description, previous?.description, null),
    when: when.value,
    run: scheduled.value,
    overlap: pick(overlap, previous?.overlap, 'skip'),
    catch_up: pick(catch_up, previous?.catch_up, 'latest'),
    catch_up_window_seconds: pick(window, previous?.catch_up_window_seconds, WINDOW_SECONDS),
    jitter_seconds: pick(jitter_seconds, previous?.jitter_seconds, 0),
    ends_at: ends_at === undefined ? (previous?.ends_at ?? null) : (end ?? null),
  })
}

/** Rejects a schedule that has already ended. */
export const endRefused = ({ ends_at }: Pick<Definition, 'ends_at'>, now: number) =>
  ends_at !== null && ends_at <= now ? at('/ends_at', 'must be in the future') : undefined

/** Default time in seconds during which a missed slot is caught up: one day. */
const WINDOW_SECONDS = 86_400

function runOf(
  changes: Optional<Omit<ScheduledRun, 'webhook'>>,
  webhook: WebhookAsked | null | undefined,
  previous: ScheduledRun | undefined,
): Outcome<ScheduledRun, Refusal> {
  const set = Object.entries(changes).filter(([, value]) => value !== undefined)
  const all = { agent: 'general', ...previous, ...Object.fromEntries(set) }
  const run = Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== null),
  ) as unknown as ScheduledRun
  if (run.input === undefined) return fail(at('/input', 'input is required'))
  const wrong = templateFault(run.input)
  if (wrong !== undefined) return fail(at('/input', wrong))
  if (webhook === undefined) return ok(run)
  const { webhook: _, ...bare } = run
  if (webhook === null) return ok(bare)
  const { url, events } = webhook
  const to = { url: canonicalOf(url), ...(events ? { events } : {}), ...formatted(webhook) }
  return ok({ ...bare, webhook: to })
}

function whenOf(
  request: ScheduleRequest,
  now: number,
  previous: When | undefined,
): Outcome<When, Refusal> {
  const timings = (['cron', 'at', 'every'] as const).filter((name) => request[name] != null)
  const zone = request.timezone ?? (previous?.type === 'cron' ? previous.timezone : 'UTC')
  if (timings.length > 1) {
    return fail(at(`/${timings[1]}`, 'set only one of cron, at, and every'))
  }
  if (timings.length === 0) {
    const isZone = previous?.type === 'cron' && request.timezone != null
    if (previous && !isZone) return ok(previous)
    if (previous?.type === 'cron') return cronOf(previous.cron, zone)
    return fail(at('/cron', 'one of cron, at, and every is required'))
  }
  if (request.timezone != null && timings[0] !== 'cron') {
    return fail(at('/timezone', 'a time zone can only be set with cron'))
  }
  if (request.cron != null) return cronOf(request.cron, zone)
  return request.at != null ? atOf(request.at, previous) : everyOf(request.every!, now)
}

function cronOf(cron: string, zone: string): Outcome<When, Refusal> {
  const timezone = zoneOf(zone)
  if (timezone === undefined) {
    return fail(at('/timezone', 'unknown IANA time zone; use a name such as Europe/Berlin or UTC'))
  }
  const wrong = cronFault(cron, timezone)
  if (wrong !== undefined) return fail(at('/cron', wrong))
  return ok({ type: 'cron', cron: sixFields(cron), timezone })
}

function atOf(text: string, previous: When | undefined): Outcome<When, Refusal> {
  // A time without an offset is UTC, as everywhere in the API.
  const moment = parseTime(/[zZ]$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`)
  if (moment === undefined) return fail(at('/at', 'must be a time such as 2026-03-01T09:00:00Z'))
  return ok(
    previous?.type === 'at' && previous.at === moment ? previous : { type: 'at', at: moment },
  )
}

function everyOf(interval: number | string, now: number): Outcome<When, Refusal> {
  const every = everyMs(interval)
  if (!every.ok) return fail(at('/every', every.error))
  const seconds = every.value / 1_000
  const { schedule_seconds_min: least, schedule_every_seconds_max: most } = LIMITS
  if (seconds < least || seconds > most) {
    return fail(at('/every', `must be from ${least} to ${most} seconds`))
  }
  return ok({ type: 'every', every_ms: every.value, from: now })
}
