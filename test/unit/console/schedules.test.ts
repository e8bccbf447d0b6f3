/** Schedules: the form, the changes that it sends, errors at fields, and past slots. */

import { describe, expect, it } from 'vitest'
import { scheduleSearch } from '../../../src/console/schedules/search.ts'
import {
  draftOf,
  type Fire,
  fieldErrors,
  inputOf,
  intervalText,
  isUnusual,
  outcomeCounts,
  patchOf,
  previewOf,
  rebasedDraft,
  type Schedule,
  shortCron,
} from '../../../src/console/schedules/state.ts'

const ZONE = 'Europe/Berlin'

const SCHEDULE = {
  ...{ name: 'digest', description: null, cron: '0 0 7 * * 1-5', timezone: 'UTC' },
  ...{ at: null, every_seconds: null, ends_at: null, jitter_seconds: 0 },
  ...{ overlap: 'skip', catch_up: 'latest' },
  run: { input: 'Write.', agent: 'scout', label: 'night' },
} as Schedule

describe('the address of schedules', () => {
  it('names a kind and a schedule, and nothing else', () => {
    expect(scheduleSearch({ kind: 'wakeup', sel: 'sch_1', x: 1 })).toEqual({
      ...{ kind: 'wakeup', sel: 'sch_1' },
    })
    expect(scheduleSearch({ kind: 'schedule', sel: 'a/b' })).toEqual({})
  })
})

describe('the form of a schedule', () => {
  it('shows a cron expression without second 0, and an interval in its largest unit', () => {
    expect(['0 0 7 * * 1-5', '30 0 7 * * 1-5', '@daily'].map(shortCron)).toEqual([
      ...['0 7 * * 1-5', '30 0 7 * * 1-5', '@daily'],
    ])
    expect([90, 900, 7_200, 86_400].map(intervalText)).toEqual(['90s', '15m', '2h', '1d'])
  })

  it('creates a schedule from the members that have values', () => {
    const draft = { ...draftOf(undefined, ZONE), input: 'Go.', name: ' night ' }
    expect(inputOf(draft)).toEqual({
      ...{ name: 'night', input: 'Go.', cron: '0 9 * * 1-5', timezone: ZONE },
      ...{ overlap: 'skip', catch_up: 'latest' },
    })
  })

  it('previews one kind of timing, and none without a value', () => {
    const draft = { ...draftOf(undefined, ZONE), jitter_seconds: '60' }
    expect(previewOf({ ...draft, timing: 'every', every: '15m' })).toEqual({
      ...{ every: '15m', jitter_seconds: 60 },
    })
    expect(previewOf({ ...draft, timing: 'at', at: '' })).toBeUndefined()
    const at = previewOf({ ...draft, timing: 'at', at: '2027-01-31T09:00' })
    expect(at?.at).toBe(new Date('2027-01-31T09:00').toISOString())
  })

  it('sends only what was changed; an empty field removes a member', () => {
    const draft = draftOf(SCHEDULE, ZONE)
    expect(patchOf(SCHEDULE, draft, ZONE)).toEqual({})
    expect(patchOf(SCHEDULE, { ...draft, label: '', agent: '', role: 'desk' }, ZONE)).toEqual({
      ...{ label: null, role: 'desk' },
    })
    expect(patchOf(SCHEDULE, { ...draft, timezone: ZONE }, ZONE)).toEqual({
      ...{ cron: '0 7 * * 1-5', timezone: ZONE },
    })
    expect(patchOf(SCHEDULE, { ...draft, timing: 'every' }, ZONE)).toEqual({ every: '1h' })
    expect(patchOf(SCHEDULE, { ...draft, jitter_seconds: '' }, ZONE)).toEqual({
      jitter_seconds: null,
    })
  })

  it('keeps edited values when the schedule has changed, and takes the others', () => {
    const draft = { ...draftOf(SCHEDULE, ZONE), description: 'mine' }
    const next = { ...SCHEDULE, run: { ...SCHEDULE.run, label: 'theirs' } } as Schedule
    const rebased = rebasedDraft(draft, SCHEDULE, next, ZONE)
    expect(patchOf(next, rebased, ZONE)).toEqual({ description: 'mine' })
    expect(rebased.label).toBe('theirs')
  })

  it('shows sentences of the API at their fields', () => {
    const errors = [
      { pointer: '/cron', message: 'the schedule is never due' },
      { pointer: '/input', message: 'input is required' },
    ]
    expect(fieldErrors(errors)).toEqual({ when: 'The schedule is never due.' })
  })
})

describe('past slots', () => {
  const fire = (outcome: Fire['outcome'], count = 1, reason: string | null = null): Fire => ({
    ...{ slot: '2026-11-30T07:00:00Z', manual: false, run_id: null, at: '2026-11-30T07:00:01Z' },
    ...{ outcome, count, reason, more: false },
  })

  it('are counted by outcome; one entry can stand for several missed slots', () => {
    const fires = [fire('completed'), fire('missed', 3), fire('completed')]
    expect(outcomeCounts(fires)).toEqual([
      ['missed', 3],
      ['completed', 2],
    ])
  })

  it('are listed with their reason unless a run completed or is active', () => {
    const fires = [fire('completed'), fire('started'), fire('skipped'), fire('failed', 1, 'x')]
    expect(fires.filter(isUnusual).map(({ outcome }) => outcome)).toEqual(['skipped', 'failed'])
  })
})
