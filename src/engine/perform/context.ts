/** What every effect is performed with: the world, the run as it stands, and the way to stop. */

import { LRUCache } from 'lru-cache'
import type { Pin } from '../../core/run/pin.ts'
import type { RunState } from '../../core/run/state.ts'
import { assert } from '../../lib/assert.ts'
import type { World } from '../../ports/world.ts'
import { getBlob } from '../blob.ts'

export interface Context {
  readonly world: World
  readonly tenant: string
  readonly state: RunState
  readonly signal: AbortSignal
}

/** Parsed pins by digest: content-addressed, so one cache serves every world. */
const pins = new LRUCache<string, Pin>({ max: 200 })

export async function pinOf({ world, tenant, state }: Context): Promise<Pin> {
  assert(state.started, 'a started run has a pin')
  const digest = state.started.pin
  const known = pins.get(digest)
  if (known) return known
  const text = await getBlob(world, tenant, digest)
  if (text === undefined) throw new Error(`the pin ${digest} of a live run is missing`)
  return rememberPin(digest, JSON.parse(text) as Pin)
}

export function rememberPin(digest: string, pin: Pin): Pin {
  pins.set(digest, pin)
  return pin
}
