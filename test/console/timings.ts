/** The time from a sign-in link to a usable chat, in a browser without a cache. */

import { composer, openBlank } from './console-page.ts'
import { check, type Scenarios, type Stage } from './stage.ts'

const LIMIT_MS = { paint: 1_000, usable: 1_500 } as const
const TIMES = 5

const PAINT = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity`

/** Opens a fresh link in a fresh profile. */
async function openCold(
  stage: Stage,
): Promise<{ readonly paint: number; readonly usable: number }> {
  const { server, browser } = stage
  const { url } = await server.get<{ url: string }>('/v1/sign-in-links', { method: 'POST' })
  const page = await openBlank(browser, stage)
  const start = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await composer(page).fill('usable')
  const usable = performance.now() - start
  const paint = await page.evaluate<number>(PAINT)
  await page.context().close()
  return { paint, usable }
}

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.POSITIVE_INFINITY

export const TIMINGS: Scenarios = {
  async 'a sign-in link paints within 1.0 s and gives a usable chat within 1.5 s, cold'(stage) {
    const all: Awaited<ReturnType<typeof openCold>>[] = []
    while (all.length < TIMES) all.push(await openCold(stage))
    for (const part of ['paint', 'usable'] as const) {
      const time = Math.round(median(all.map((one) => one[part])))
      console.log(`      ${part}: ${time} ms, median of ${TIMES}`)
      check(stage, time <= LIMIT_MS[part], `${part} takes ${time} ms, not ${LIMIT_MS[part]} ms`)
    }
  },
}
