/**
 * The audit chain at rest (rule 54): its hashes follow from its entries, no entry is sealed twice,
 * and no entry that a verification would miss is outside it.
 */

import { canonical, sha256 } from '../../../src/lib/digest.ts'
import { TENANTS } from '../world/plan.ts'
import type { Sim } from '../world/sim.ts'

/** The settling time that a verification allows. */
const SETTLE_MS = 600_000

interface Entry {
  readonly version: string
  readonly created_at: string
}
interface Link {
  readonly seq: number
  readonly hash: string
  readonly entry: Entry
}

export function auditAtRest(sim: Sim): void {
  for (const tenant of TENANTS) {
    const links = linksOf(sim, tenant)
    if (links.length > 0) sim.rare('an audit entry is sealed')
    I25_theChainIsWhole(sim, tenant, links)
    I25_everyEntryIsSealed(sim, tenant, links)
  }
}

function linksOf({ store }: Sim, tenant: string): Link[] {
  const pages = [...store.partitions.keys()].filter((name) => name.startsWith(`${tenant}/chain/p`))
  return pages
    .sort()
    .flatMap((page) => store.read(page).filter(({ key }) => key.startsWith('l/')))
    .map(({ body }) => JSON.parse(body) as Link)
}

function I25_theChainIsWhole(sim: Sim, tenant: string, links: readonly Link[]): void {
  let hash = '0'.repeat(64)
  const versions = new Set<string>()
  for (const [index, link] of links.entries()) {
    const { seq, entry } = link
    hash = sha256(`${hash}${canonical({ entry, seq: index + 1 })}`)
    if (seq === index + 1 && link.hash === hash && !versions.has(entry.version)) {
      versions.add(entry.version)
      continue
    }
    return sim.law.breach('I25_theChainIsWhole', `${tenant}: link ${seq} of ${entry.version}`)
  }
}

function I25_everyEntryIsSealed(sim: Sim, tenant: string, links: readonly Link[]): void {
  const sealed = new Set(links.map(({ entry }) => entry.version))
  const newest = Math.max(...links.map(({ entry }) => Date.parse(entry.created_at)))
  for (const rows of sim.store.partitions.values()) {
    for (const { body, listed } of rows.values()) {
      if (listed?.under !== `${tenant}/audit`) continue
      const { version, created_at } = JSON.parse(body) as Entry
      if (sealed.has(version) || Date.parse(created_at) >= newest - SETTLE_MS) continue
      return sim.law.breach('I25_everyEntryIsSealed', `${tenant}: ${version} of ${created_at}`)
    }
  }
}
