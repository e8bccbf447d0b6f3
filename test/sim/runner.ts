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

/** A planted bug may spin in earnest; that, too, is a finding. */
const SEED_MS = 20_000

const figures: Figures = noFigures()
for (const plan of share.plans) {
  const { seed } = plan
  const stuck = setTimeout(() => {
    const violation = { id: 'I18_nobodySpins', message: 'the seed does not end', at: 0 }
    figures.red.push({ seed, violation })
    process.send?.(figures, () => process.exit(0))
  }, SEED_MS)
  const result = await simulate(plan)
  clearTimeout(stuck)
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
