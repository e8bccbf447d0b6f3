/** Previews of due times, compared with the slots at which the engine fires the same schedule. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideSlots } from '../../../../src/core/schedule/advance.ts'
import { previewSchedule, type TimingRequest } from '../../../../src/core/schedule/preview.ts'
import { definitionFrom } from '../../../../src/core/schedule/request.ts'
import { newSchedule } from '../../../../src/core/schedule/schedule.ts'
import { iso } from '../../../../src/lib/time.ts'
import { cases } from '../../../support/full.ts'

const MINUTE = 60_000
/** Range in which the engine's clock ticks. */
const RANGE = 15 * 86_400_000

const previewed = (request: TimingRequest, count: number, now: number) => {
  const result = previewSchedule(request, count, now)
  if (!result.ok) throw new Error(result.error.detail)
  return result.value
}

/** Returns the slots that the engine starts, as its clock ticks. */
function firedSlots(request: TimingRequest, count: number, now: number): string[] {
  const rules = { overlap: 'allow', catch_up: 'all', input: '-' } as const
  const definition = definitionFrom({ ...request, ...rules }, now)
  if (!definition.ok) throw new Error(definition.error.detail)
  const identity = {
    id: 's',
    name: 's',
    kind: 'schedule',
    incarnation: 's',
    created_by: null,
  } as const
  let schedule = newSchedule(identity, definition.value, now)
  const slots: string[] = []
  for (let time = now; slots.length < count && time <= now + RANGE; time += RANGE / 30) {
    const ends = schedule.fires.map(({ run_id }) => {
      return { run_id, status: 'completed', at: time, error: null } as const
    })
    const decided = decideSlots(schedule, ends, time, (slot) => `run ${slot}`)
    schedule = decided.schedule
    const started = decided.records.filter(({ outcome }) => outcome === 'started')
    slots.push(...started.map(({ slot }) => iso(slot)))
    if (schedule.ended_at !== null) break
  }
  return slots.slice(0, count)
}

const codes = (request: TimingRequest, count: number, now: number) =>
  previewed(request, count, now).findings.map(({ code, message }) => [code, message])

describe('previewed slots', () => {
  const numbers = (max: number, min = 0) => fc.integer({ min, max }).map(String)
  const field = (max: number, min = 0) =>
    fc.oneof(
      numbers(max, min),
      fc.tuple(numbers(max, min), numbers(max, min)).map((pair) => pair.join(',')),
      fc.constantFrom('*', '*/2', '*/7'),
    )
  const cron = fc
    .tuple(
      numbers(59),
      field(4),
      fc.constantFrom('*', '*/3', '28-31'),
      fc.constantFrom('*', '0', '1-5'),
    )
    .map(([minute, hour, day, weekday]) => `${minute} ${hour} ${day} * ${weekday}`)
  const timezone = fc.constantFrom(
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'America/Santiago',
    'Africa/Cairo',
    'UTC',
  )
  /** Weeks of the clock changes of these zones in 2026, and others. */
  const now = fc
    .tuple(fc.constantFrom(60, 84, 92, 110, 250, 295, 300), fc.integer({ min: 0, max: 1_439 }))
    .map(([day, minute]) => Date.UTC(2026, 0, day) + minute * MINUTE)

  it('are the slots at which the engine fires the same schedule', () => {
    const request: fc.Arbitrary<TimingRequest> = fc.oneof(
      fc.record({ cron, timezone }),
      fc.record({ every: fc.integer({ min: 20, max: 5_000 }).map((count) => `${count}m`) }),
    )
    fc.assert(
      fc.property(request, now, fc.integer({ min: 1, max: 10 }), (timing, start, count) => {
        const fired = firedSlots(timing, count, start)
        const upcoming = previewed(timing, count, start).upcoming.map(({ at }) => at)
        expect(upcoming.slice(0, fired.length)).toEqual(fired)
        const next = upcoming[fired.length] ?? '9'
        if (fired.length < count) expect(next > iso(start + RANGE)).toBe(true)
      }),
      { numRuns: cases(30) },
    )
  })

  it('have the offset of the zone at their time', () => {
    const {
      upcoming,
      cron: fields,
      has_more,
    } = previewed({ cron: '0 12 * * *', timezone: 'Europe/Berlin' }, 3, Date.UTC(2026, 2, 27, 12))
    expect(upcoming).toEqual([
      { at: '2026-03-28T11:00:00.000Z', local: '2026-03-28T12:00:00+01:00' },
      { at: '2026-03-29T10:00:00.000Z', local: '2026-03-29T12:00:00+02:00' },
      { at: '2026-03-30T10:00:00.000Z', local: '2026-03-30T12:00:00+02:00' },
    ])
    expect([fields, has_more]).toEqual(['0 0 12 * * *', true])
  })

  it('stop at the end of the schedule, which is stated', () => {
    const request = { every: '1d', ends_at: '2026-03-03T00:00:00Z' }
    const { upcoming, findings, has_more } = previewed(request, 5, Date.UTC(2026, 2, 1))
    expect([upcoming.length, has_more]).toEqual([2, false])
    expect(findings).toMatchObject([{ code: 'ends', at: '2026-03-03T00:00:00.000Z' }])
  })
})

describe('findings', () => {
  const zone = { timezone: 'Europe/Berlin' }
  const spring = Date.UTC(2026, 2, 27, 12)
  const autumn = Date.UTC(2026, 9, 23, 12)

  it('a skipped fixed time says when it is due, and the slot is there', () => {
    const request = { cron: '30 2 * * *', ...zone }
    const { upcoming, findings } = previewed(request, 3, spring)
    expect(upcoming[1]).toEqual({
      at: '2026-03-29T01:00:00.000Z',
      local: '2026-03-29T03:00:00+02:00',
    })
    expect(findings).toMatchObject([{ code: 'skipped', at: '2026-03-29T01:00:00.000Z' }])
    expect(findings[0]!.message).toContain('is due at 2026-03-29T03:00:00+02:00')
  })

  it('a skipped time of an interval has no slot', () => {
    const [[code, message] = []] = codes(
      { cron: '15 */2 * * *', ...zone },
      10,
      spring + 30 * 3_600_000,
    )
    expect(code).toBe('skipped')
    expect(message).toContain('no slot is due')
  })

  it('a repeated fixed time is due once, and a repeated interval twice', () => {
    const [[code, once] = []] = codes({ cron: '30 2 * * *', ...zone }, 3, autumn)
    expect(code).toBe('doubled')
    expect(once).toContain('due once')
    const [[, twice] = []] = codes({ cron: '30 * * * *', ...zone }, 10, Date.UTC(2026, 9, 24, 20))
    expect(twice).toContain('due twice')
  })

  it('a schedule that no clock change affects has none', () => {
    expect(codes({ cron: '0 12 * * *', ...zone }, 10, spring)).toEqual([])
    expect(codes({ cron: '30 2 * * *', timezone: 'UTC' }, 10, spring)).toEqual([])
    expect(codes({ every: '1h' }, 10, spring)).toEqual([])
  })

  it('a jitter, and a range beyond ten years, are stated', () => {
    expect(codes({ every: '1h', jitter_seconds: 30 }, 1, spring)[0]![0]).toBe('jitter')
    const leap = codes({ cron: '30 2 29 2 *', ...zone }, 10, spring)
    expect(leap.at(-1)![0]).toBe('unchecked')
  })
})
