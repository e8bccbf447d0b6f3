/** Task list of a fan-out: one blob, written before the fan-out is accepted. */

import { LRUCache } from 'lru-cache'
import type { FanoutSpec, TaskPlan } from '../../core/fanout/facts.ts'
import type { World } from '../../ports/world.ts'
import type { Home } from '../partition/home.ts'
import { processMemory } from '../partition/process.ts'
import { getBlob, putBlob } from '../tenant/blobs.ts'

type Plans = readonly TaskPlan[]

/** Cache of parsed task lists by digest, per bucket. A thousand tasks share one list. */
const plansOf = processMemory('tasks', () => new LRUCache<string, Plans>({ max: 20 }))
const cacheOf = ({ objects }: World): LRUCache<string, Plans> => plansOf(objects)

export async function storeTasks(world: World, home: Home, plans: Plans): Promise<string> {
  const digest = await putBlob(world, home, JSON.stringify(plans))
  cacheOf(world).set(home + digest, plans)
  return digest
}

export async function readTasks(
  world: World,
  home: Home,
  { tasks: digest }: Pick<FanoutSpec, 'tasks'>,
): Promise<Plans> {
  const key = home + digest
  const cached = cacheOf(world).get(key)
  if (cached) return cached
  const text = await getBlob(world, home, digest)
  if (text === undefined) throw new Error(`the tasks ${digest} of a live fan-out are missing`)
  const plans = JSON.parse(text) as Plans
  cacheOf(world).set(key, plans)
  return plans
}
