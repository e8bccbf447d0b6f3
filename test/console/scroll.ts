/** How a list scrolls: from its top to its end, by the times between its pictures. */

import type { Page } from 'playwright-core'

export interface Scrolled {
  readonly frames: number
  readonly median: number
  readonly p95: number
  readonly worst: number
  /** Pixels between the top and the end. */
  readonly height: number
}

/** A hand on a wheel: so much between two pictures at 60 a second. */
const STEP_PX = 400

/** Scrolls the region of this name to its end. */
export async function scrolled(page: Page, name: string): Promise<Scrolled> {
  return page.getByRole('region', { name, exact: true }).evaluate(async (region, step) => {
    const picture = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
    region.scrollTop = 0
    for (let at = 0; at < 10; at += 1) await picture()
    const taken: number[] = []
    let before = await picture()
    while (region.scrollTop + region.clientHeight < region.scrollHeight - 1) {
      region.scrollTop += step
      const now = await picture()
      taken.push(now - before)
      before = now
    }
    const sorted = taken.toSorted((one, other) => one - other)
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
    return {
      ...{ frames: taken.length, median: at(0.5), p95: at(0.95), worst: at(1) },
      height: region.scrollHeight,
    }
  }, STEP_PX)
}
