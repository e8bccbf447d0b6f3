/** infra/aws.md says what the clock costs, before it had a processor of its own and now. */

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MEMORY } from '../../infra/memory.ts'
import { clockMonth, idleTickMs } from './clock.ts'

const BEFORE = 256
const MINUTE_MS = 60_000
const money = (usd: number): string => `$${usd.toFixed(2)}`

it('a month of ticks is priced by memory and length', () => {
  // 43,200 calls at 0.20 for a million; 43,200 GB-seconds at 13.3334.
  expect(clockMonth(1_024, 1_000)).toBeCloseTo(0.008_64 + 0.576_003, 5)
})

it('infra/aws.md says the price of the clock, idle and at the most, before and now', async () => {
  const idle = await idleTickMs()
  const [was, is] = [BEFORE, MEMORY.clock].map((mb) => [
    money(clockMonth(mb, idle)),
    money(clockMonth(mb, MINUTE_MS)),
  ])
  const page = readFileSync(new URL('../../infra/aws.md', import.meta.url), 'utf8')
  expect(page.replaceAll('\n', ' ')).toContain(
    `ticks that find nothing cost ${is![0]} a month (${was![0]} with ${BEFORE} MB, as before), one that never ends ${is![1]} (${was![1]})`,
  )
})
