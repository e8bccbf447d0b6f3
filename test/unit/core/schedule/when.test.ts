import { describe, expect, it } from 'vitest'
import { nextSlot, slotsIn, upcoming } from '../../../../src/core/schedule/when.ts'
import { cronFault, localIso, sixFields, zoneOf } from '../../../../src/lib/cron.ts'
import { dueIn, type Walk, walkOf } from '../../../support/cron-oracle.ts'
import { fullOr } from '../../../support/full.ts'

/** Berlin skips an hour on March 29, Lord Howe Island shows half an hour twice on April 5. */
const TWO_ZONES = ['Europe/Berlin', 'Australia/Lord_Howe']
/** Northern, southern, with a gap at midnight, a change of a quarter hour, and no change at all. */
const MORE_ZONES = [
  'America/New_York',
  'Africa/Cairo',
  'Pacific/Chatham',
  'America/Santiago',
  'Asia/Kathmandu',
  'UTC',
]
const ZONES = fullOr([...TWO_ZONES, ...MORE_ZONES], TWO_ZONES)
const CRONS = [
  '30 2 * * *',
  '0 0 * * *',
  '15 1,2,3 * * *',
  '30 1 * * 0',
  '45 2-3 * * 0,6',
  '0 * * * *',
  '*/20 * * * *',
  '*/15 1-3 * * *',
  '5 */6 * * *',
  '0 9 1,15 * *',
  '0 12 13 * 5',
  '59 23 28-31 2,12 *',
]
const FROM = fullOr(Date.UTC(2026, 0, 1), Date.UTC(2026, 2, 1))
const TO = fullOr(Date.UTC(2028, 0, 1), Date.UTC(2026, 4, 1))

const slotsOf = (cron: string, timezone: string): number[] => {
  const when = { type: 'cron', cron: sixFields(cron), timezone } as const
  const slots: number[] = []
  for (let at = nextSlot(when, FROM - 1); at !== undefined && at < TO; at = nextSlot(when, at)) {
    slots.push(at)
  }
  return slots
}

describe('schedule slots', () => {
  it.each(ZONES)(
    'in %s match a minute-by-minute walk: skipped and repeated local times fire once [CR-19]',
    (zone) => {
      const walk: Walk = walkOf(zone, FROM, TO)
      for (const cron of CRONS) {
        const wanted = dueIn(walk, cron)
        const slots = slotsOf(cron, zone)
        expect([cron, slots.length]).toEqual([cron, wanted.length])
        expect(slots).toEqual(wanted)
      }
    },
  )

  it('a skipped 02:30 is due at 03:00, and a repeated 01:30 fires once [S04 CR-19]', () => {
    const zone = 'America/New_York'
    const next = (cron: string, after: number) =>
      nextSlot({ type: 'cron', cron: sixFields(cron), timezone: zone }, after)!
    const gap = next('30 2 * * *', Date.UTC(2026, 2, 8))
    expect(localIso(gap, zone)).toBe('2026-03-08T03:00:00-04:00')
    const first = next('30 1 * * *', Date.UTC(2026, 10, 1))
    expect(localIso(first, zone)).toBe('2026-11-01T01:30:00-04:00')
    expect(localIso(next('30 1 * * *', first), zone)).toBe('2026-11-02T01:30:00-05:00')
  })

  it('the next slot is strictly after a moment, the last never after it, to the millisecond [CR-07 CR-08 CR-09]', () => {
    const noon = Date.UTC(2026, 2, 1, 12)
    const daily = { type: 'cron', cron: '0 0 12 * * *', timezone: 'UTC' } as const
    expect(nextSlot(daily, noon - 500)).toBe(noon)
    expect(nextSlot(daily, noon)).toBe(noon + 86_400_000)
    expect(nextSlot(daily, noon + 21)).toBe(noon + 86_400_000)
    expect(slotsIn(daily, 0, noon - 1, 1)).toEqual([noon - 86_400_000])
    expect(slotsIn(daily, 0, noon, 1)).toEqual([noon])
    expect(slotsIn(daily, 0, noon + 21, 1)).toEqual([noon])
    expect(slotsIn(daily, noon, noon + 21, 9)).toEqual([])
    const every = { type: 'every', every_ms: 60_000, from: noon } as const
    expect(slotsIn(every, noon, noon + 180_000, 2)).toEqual([noon + 120_000, noon + 180_000])
    expect(upcoming(every, noon, 2)).toEqual([noon + 60_000, noon + 120_000])
    expect(nextSlot(every, noon - 86_400_000)).toBe(noon + 60_000)
    expect(nextSlot({ type: 'at', at: noon }, noon)).toBeUndefined()
  })

  it('expressions and zones are validated by their text alone [MC-50 MC-51 CR-29]', () => {
    expect(sixFields(' 0 9  * * * ')).toBe('0 0 9 * * *')
    expect(cronFault('0 9 * * *', 'UTC')).toBeUndefined()
    expect(cronFault('@daily', 'UTC')).toBeUndefined()
    for (const wrong of ['banana', '', '0 25 * * *', '0 0 30 2 *', '@reboot', '0 9 * * * 2026 1']) {
      expect([wrong, cronFault(wrong, 'UTC')]).toEqual([wrong, expect.any(String)])
    }
    expect(cronFault('*/5 * * * * *', 'UTC')).toContain('once a minute')
    expect([zoneOf('europe/berlin'), zoneOf('Mars/Base'), zoneOf('+02:00')]).toEqual([
      'Europe/Berlin',
      undefined,
      undefined,
    ])
  })
})
