/** Reads a large text that a run's events reference by digest. Redacted parts stay hidden. */

import type { RunSpec } from '../../core/run/log/facts.ts'
import { textsOf } from '../../core/run/views/texts.ts'
import type { World } from '../../ports/world.ts'
import { homeOfRun } from '../partition/home.ts'
import { runPartition } from '../partition/keys.ts'
import { factsAfter } from '../partition/log.ts'
import { getBlob, load } from '../tenant/blobs.ts'

type RunText =
  | { readonly kind: 'found'; readonly text: string }
  /** Result if no event of the run names the digest. */
  | { readonly kind: 'unnamed' }
  /** Result if an event names the text, but the text is no longer stored. */
  | { readonly kind: 'gone' }

export async function runText(
  world: World,
  tenant: string,
  spec: Pick<RunSpec, 'id' | 'home' | 'root_run_id'>,
  digest: string,
): Promise<RunText> {
  const rows = await world.store.read(runPartition(tenant, spec.id))
  const places = factsAfter(rows, 0)
    .flatMap(({ fact }) => textsOf(fact))
    .filter(({ body }) => body.digest === digest)
  const [first] = places
  if (!first) return { kind: 'unnamed' }
  const home = homeOfRun(tenant, spec)
  if ((await getBlob(world, home, digest)) === undefined) return { kind: 'gone' }
  const text = await load(world, home, first.body)
  // Text hidden in one event stays hidden even if another event shows it.
  return { kind: 'found', text: places.reduce((masked, place) => place.shown(masked), text) }
}
