/** Whether hostile input is cheap: the best of three, after the code is warm, on this thread alone. */

import { expect } from 'vitest'
import { cpuMs } from './cpu.ts'

/** What one input may hold the thread for. CI machines are up to so much slower than ours. */
const HELD_MS = 50
const SLOWER = process.env.CI ? 3 : 1

export function expectQuick(what: string, act: () => unknown, limit = HELD_MS): void {
  const first = cpuMs(act)
  // A look that is far above the limit is red at once: three of an endless one would not end.
  const best = first > 20 * limit ? first : Math.min(first, cpuMs(act), cpuMs(act))
  expect(best, `milliseconds for ${what.slice(0, 120)}`).toBeLessThan(limit * SLOWER)
}
