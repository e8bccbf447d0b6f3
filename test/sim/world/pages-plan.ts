/** Open fan-outs in a seed's workload: pages out of order, more than once, some never sealed. */

import type { OpenFanout, Operation, PlannedRun, PlannedWebhook } from './operations.ts'
import type { Chance } from './random.ts'

export interface Draws {
  run(id: string): PlannedRun
  join(): OpenFanout['join']
  webhook(): PlannedWebhook
  tenant(): string
  budget(): Pick<OpenFanout, 'budget'> | undefined
}

export function openOperations(chance: Chance, name: string, draw: Draws): Operation[] {
  const at = chance.int(40_000)
  const pages = Array.from({ length: chance.pick([0, 1, 2, 3, 6]) }, (_, page) =>
    Array.from({ length: chance.pick([1, 1, 2, 3]) }, (_, index) =>
      draw.run(`${name}.${page}.${index}`),
    ),
  )
  const order = pages.map((_, page) => ({ page, twice: chance.flip(0.2) }))
  for (const place of order.keys()) {
    const other = chance.int(order.length)
    ;[order[place], order[other]] = [order[other]!, order[place]!]
  }
  // Whoever is not sure that a page has arrived hands it in again.
  for (const one of [...order]) if (chance.flip(0.25)) order.push({ ...one, twice: false })
  const join = chance.flip(0.4) ? draw.join() : undefined
  const operations: Operation[] = [
    {
      op: 'open',
      at,
      name,
      tenant: draw.tenant(),
      pages,
      order,
      seal: chance.pick(['once', 'once', 'early', 'twice', 'never']),
      join: join && { ...join, policy: 'all' },
      closing: chance.flip(0.4) ? draw.run(`${name}.then`) : undefined,
      webhook: chance.flip(0.5) ? draw.webhook() : undefined,
      ...draw.budget(),
    },
  ]
  const cancels = chance.pick([0, 0, 0, 1, 2])
  for (let index = 0; index < cancels; index += 1) {
    const after = chance.pick([100, 1_000, 5_000, 20_000, 90_000])
    operations.push({ op: 'cancel', at: at + 50 + chance.int(after), name })
  }
  return operations
}
