/** Runs a share of the seeds in this process and sends the figures home. */

import { once } from 'node:events'
import { plant } from './plant.ts'
import type { Figures, Share } from './pool.ts'
import { noFigures, sum } from './pool.ts'

// Whoever asked has died, or has been answered.
process.once('disconnect', () => process.exit())
const [share] = (await once(process, 'message')) as [Share]
if (share.bug !== undefined) plant(share.bug)
// Only now: a planted bug changes sources as they are loaded.
const { simulate } = await import('./world.ts')

/**
 * A planted bug may spin in earnest; that, too, is a finding. It is judged by what it takes of the
 * processor, because whoever is kept waiting by others finds nothing; and at last by the clock.
 */
const SEED_CPU_MS = 20_000
const SEED_MS = 15 * 60_000

/** Tells when one seed has taken too much, until it is stopped. */
function watch(onStuck: () => void): { stop(): void } {
  const [cpu, began] = [process.cpuUsage(), performance.now()]
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(cpu)
    const spins = (user + system) / 1_000 > SEED_CPU_MS
    if (spins || performance.now() - began > SEED_MS) onStuck()
  }, 500)
  return { stop: () => clearInterval(timer) }
}

const figures: Figures = noFigures()
for (const plan of share.plans) {
  const { seed } = plan
  const stuck = watch(() => {
    const violation = { id: 'I18_nobodySpins', message: 'the seed does not end', at: 0 }
    figures.red.push({ seed, violation })
    process.send?.(figures, () => process.exit(0))
  })
  const result = await simulate(plan)
  stuck.stop()
  figures.seeds += 1
  figures.hours += result.hours
  figures.deaths += result.deaths
  figures.events += result.events
  figures.commits.push(result.commits)
  figures.faultsPerSeed.push(Object.values(result.faults).reduce((all, one) => all + one, 0))
  Object.assign(figures.faults, sum(figures.faults, result.faults))
  Object.assign(figures.rare, sum(figures.rare, result.rare))
  const [violation] = result.violations
  if (violation) figures.red.push({ seed, violation })
  if (violation && share.stopAtFirst) break
  if (share.twice && (await simulate(plan)).fingerprint !== result.fingerprint) {
    figures.unequal.push(seed)
  }
}
process.send?.(figures, () => process.disconnect())
