/**
 * Whether hostile input is cheap, after the code is warm, on this thread alone: one look of ten is
 * enough, since others on the machine, and the collector, only ever make a look slower.
 */

import { expect } from 'vitest'
import { cpuMs } from './cpu.ts'

/** What one input may hold the thread for. CI machines are up to so much slower than ours. */
const HELD_MS = 50
const SLOWER = process.env.CI ? 3 : 1
const LOOKS = 10

export function expectQuick(what: string, act: () => unknown, limit = HELD_MS): void {
  let best = cpuMs(act)
  // A look that is far above the limit is red at once: ten of an endless one would not end.
  for (let looks = 1; looks < LOOKS && best >= limit && best <= 20 * limit; looks += 1) {
    best = Math.min(best, cpuMs(act))
  }
  expect(best, `milliseconds for ${what.slice(0, 120)}`).toBeLessThan(limit * SLOWER)
}
