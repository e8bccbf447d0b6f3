/** The clock of a real host. */

import { expect, it, onTestFinished, vi } from 'vitest'
import { systemClock as clock } from '../../../../src/hosts/shared/clock.ts'
import { minutes, startTimer } from '../../../support/patience.ts'

it('sleeps at least as long as asked, and no longer than until its signal', async () => {
  const isDue = startTimer(28)
  await clock.sleep(30)
  expect(isDue()).toBe(true)
  const stop = new AbortController()
  const sleep = clock.sleep(minutes(10), stop.signal)
  stop.abort()
  await sleep
  await clock.sleep(minutes(10), stop.signal)
})

it('says whole milliseconds and gives as many bytes as asked, never the same', () => {
  expect(Number.isInteger(clock.now())).toBe(true)
  const [first, second] = [clock.random(17), clock.random(17)]
  expect([first.byteLength, Buffer.compare(first, second) !== 0]).toEqual([17, true])
})

it('a sleep that is longer than one timer can be ends in its time', async () => {
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
