/** Context of every run effect: the world, the current run, and the abort signal. */

import { LRUCache } from 'lru-cache'
import type { Pin } from '../../../core/run/log/pin.ts'
import type { RunState } from '../../../core/run/state/state.ts'
import { assert } from '../../../lib/assert.ts'
import type { World } from '../../../ports/world.ts'
import { homeOfPins } from '../../partition/home.ts'
import type { ContextOf, EffectResult } from '../../partition/log-type.ts'
import { processMemory } from '../../partition/process.ts'
import { getBlob } from '../../tenant/blobs.ts'

export type Context = ContextOf<RunState>

/** Maximum total characters of cached pins; server tools can make a pin megabytes long. */
const PINS_LENGTH = 8 * 1_048_576

/** Cache of parsed pins by digest, per bucket, which isolates worlds in one process. */
const pinsOf = processMemory('pins', () => new LRUCache<string, Pin>({ maxSize: PINS_LENGTH }))

export async function pinOf({
  world,
  tenant,
  state,
}: Pick<Context, 'world' | 'tenant' | 'state'>): Promise<Pin> {
  assert(state.started, 'the run has not started, so it has no pin')
  const digest = state.started.pin
  const cached = pinsOf(world.objects).get(digest)
  if (cached) return cached
  // Logs that predate separate pin storage do not record the run's start time.
  const home = homeOfPins(tenant, state.started.began_at ?? 0)
  const text = await getBlob(world, home, digest)
  if (text === undefined) throw new Error(`the pin ${digest} of a live run is missing`)
  return rememberPin(world, digest, JSON.parse(text) as Pin, text.length)
}

/** Caches a parsed pin; `length` is the length of its text. */
export function rememberPin({ objects }: World, digest: string, pin: Pin, length: number): Pin {
  pinsOf(objects).set(digest, pin, { size: length })
  return pin
}

const UNPAID_MS = 1_000

/**
 * Pauses while the store is unavailable, without an acknowledgment. The entry stays in the outbox
 * and is retried.
 */
export async function retryLater({
  world,
  signal,
}: Pick<Context, 'world' | 'signal'>): Promise<EffectResult<never>> {
  await world.clock.sleep(UNPAID_MS, signal)
  return {}
}
