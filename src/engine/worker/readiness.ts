/**
 * Whether the storage answers: one read of the store and one of the bucket. Nobody needs a key to
 * ask, so a process asks at most once a second, whoever asks it.
 */

import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { processMemory } from '../partition/process.ts'

/** Milliseconds: for so long an answer stands, and so long a read may take. */
const STANDS_MS = 1_000
const WITHIN_MS = 3_000

/** No tenant has this name, so nothing lies there. */
const PROBE = '_/ready'

type Part = 'store' | 'bucket'
/** The parts that do not answer. */
type Silent = readonly Part[]

interface Memory {
  at: number
  asked: Promise<Silent> | undefined
}
const memoryOf = processMemory('readiness', (): Memory => ({ at: 0, asked: undefined }))

/** Fails with the parts that did not answer within three seconds. Never throws. */
export async function readiness(world: World): Promise<Outcome<'ready', Silent>> {
  const memory = memoryOf(world.store)
  const now = world.clock.monotonic()
  if (!memory.asked || now - memory.at >= STANDS_MS) {
    memory.at = now
    memory.asked = silentParts(world)
  }
  const silent = await memory.asked
  return silent.length === 0 ? ok('ready') : fail(silent)
}

async function silentParts(world: World): Promise<Silent> {
  const parts: readonly (readonly [Part, () => Promise<unknown>])[] = [
    ['store', () => world.store.heads([PROBE])],
    ['bucket', () => world.objects.get(PROBE)],
  ]
  const answers = await Promise.all(parts.map(([, read]) => doesAnswer(world, read)))
  return parts.flatMap(([part], index) => (answers[index] ? [] : [part]))
}

/** The reason of a failure is the log's: it may say where storage is. */
async function doesAnswer(world: World, read: () => Promise<unknown>): Promise<boolean> {
  const timer = new AbortController()
  const late = world.clock.sleep(WITHIN_MS, timer.signal).then(() => false)
  const there = (async () => read())().then(
    () => true,
    (error: unknown) => {
      const text = error instanceof Error ? error.message : String(error)
      world.log?.write({ level: 'warn', event: 'not_ready', error: text })
      return false
    },
  )
  const answered = await Promise.race([there, late])
  timer.abort('over')
  return answered
}
