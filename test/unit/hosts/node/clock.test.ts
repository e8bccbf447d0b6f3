/** The clock of a real host. */

import { expect, it, onTestFinished, vi } from 'vitest'
import { systemClock as clock } from '../../../../src/hosts/shared/clock.ts'
import { minutes, startTimer } from '../../../support/patience.ts'

it('a sleep lasts at least as long as requested, and no longer than until its signal', async () => {
  const isDue = startTimer(28)
  await clock.sleep(30)
  expect(isDue()).toBe(true)
  const stop = new AbortController()
  const sleep = clock.sleep(minutes(10), stop.signal)
  stop.abort()
  await sleep
  await clock.sleep(minutes(10), stop.signal)
})

it('the clock returns whole milliseconds, and random bytes of the requested length, never the same', () => {
  expect(Number.isInteger(clock.now())).toBe(true)
  const [first, second] = [clock.random(17), clock.random(17)]
  expect([first.byteLength, Buffer.compare(first, second) !== 0]).toEqual([17, true])
})

it('a sleep longer than one timer allows ends on time', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let over = false
  void clock.sleep(60 * 86_400_000).then(() => {
    over = true
  })
  await vi.advanceTimersByTimeAsync(60 * 86_400_000 - 1)
  expect(over).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(over).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})
