/**
 * Runs a share of the seeds in this process and tells of each as it comes: whoever asked knows what
 * was done, and which seed is under way, should this process say nothing any more.
 */

import { once } from 'node:events'
import { plant } from './plant.ts'
import type { Figures, Share, Word } from './pool.ts'
import { noFigures } from './pool.ts'

// Whoever asked has died, or has been answered.
process.once('disconnect', () => process.exit())
const [share] = (await once(process, 'message')) as [Share]
if (share.bug !== undefined) plant(share.bug)
// Only now: a planted bug changes sources as they are loaded.
const { simulate } = await import('../world/world.ts')
const { show } = await import('./report.ts')

/**
 * A planted bug may spin in earnest; that, too, is a finding. It is judged by the processor time
 * that it takes, because other processes may delay it, and at last by the clock. A world without a
 * bug is never judged by a clock: `EVENTS_MAX` of its schedule bounds it on every machine alike.
 */
const SEED_CPU_MS = 20_000
const SEED_MS = 15 * 60_000

const tell = (word: Word): Promise<void> =>
  new Promise((resolve) => process.send?.(word, () => resolve()))

/** Tells that a seed is under way, and with a planted bug when it takes too much, until stopped. */
function watch(onStuck: () => void): { stop(): void } {
  const [cpu, began] = [process.cpuUsage(), performance.now()]
  const timer = setInterval(() => {
    void tell('alive')
    if (share.bug === undefined) return
    const { user, system } = process.cpuUsage(cpu)
    const spins = (user + system) / 1_000 > SEED_CPU_MS
    if (spins || performance.now() - began > SEED_MS) onStuck()
  }, 500)
  return { stop: () => clearInterval(timer) }
}

for (const plan of share.plans) {
  const { seed } = plan
  void tell({ begins: seed })
  const figures: Figures = noFigures()
  const stuck = watch(() => {
    const violation = { id: 'I18_nobodySpins', message: 'the seed does not end', at: 0 }
    figures.red.push({ seed, violation })
    void tell({ figures }).then(() => process.exit(0))
  })
  const result = await simulate(share.show === undefined ? plan : { ...plan, record: true })
  if (share.show !== undefined) show(result, share.show)
  figures.seeds = 1
  figures.hours = result.hours
  figures.deaths = result.deaths
  figures.events = result.events
  figures.commits.push(result.commits)
  figures.faultsPerSeed.push(Object.values(result.faults).reduce((all, one) => all + one, 0))
  Object.assign(figures.faults, result.faults)
  Object.assign(figures.rare, result.rare)
  const [violation] = result.violations
  if (violation) figures.red.push({ seed, violation })
  const stops = violation !== undefined && share.stopAtFirst
  if (share.twice && !stops && (await simulate(plan)).fingerprint !== result.fingerprint) {
    figures.unequal.push(seed)
  }
  stuck.stop()
  await tell({ figures })
  if (stops) break
}
process.disconnect()
