/**
 * Checks that storage responds: one read of the store and one of the bucket. The store read is the
 * clock's mark, which also shows whether the clock runs. The check requires no API key, so each
 * process limits it to once a second.
 */

import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { processMemory } from '../partition/process.ts'
import { CLOCK, type Mark } from './beat.ts'

/** Time for which a check result is cached, and time-out of each read, in milliseconds. */
const STANDS_MS = 1_000
const WITHIN_MS = 3_000

/** Key that never exists, because no tenant has this name. */
const PROBE = '_/ready'

/** Seconds since the last tick; null if the clock never ticked or the platform manages alarms. */
export interface ClockState {
  readonly ticked_seconds_ago: number | null
  readonly oldest_due_seconds: number | null
}

type Part = 'store' | 'bucket'
/** Parts of the storage that do not respond. */
type Silent = readonly Part[]

interface Memory {
  at: number
  asked: Promise<Outcome<Mark | null, Silent>> | undefined
}
const memoryOf = processMemory('readiness', (): Memory => ({ at: 0, asked: undefined }))

/** Checks the storage; fails with the parts that are silent for three seconds. Never throws. */
export async function readiness(world: World): Promise<Outcome<ClockState, Silent>> {
  const memory = memoryOf(world.store)
  const now = world.clock.monotonic()
  if (!memory.asked || now - memory.at >= STANDS_MS) {
    memory.at = now
    memory.asked = ask(world)
  }
  const answer = await memory.asked
  if (!answer.ok) return answer
  const ago = answer.value && Math.round((world.clock.now() - answer.value.ticked_at) / 1_000)
  return ok({
    // The clock of the process that wrote the mark may be ahead.
    ticked_seconds_ago: ago && Math.max(0, ago),
    oldest_due_seconds: answer.value?.oldest_due_seconds ?? null,
  })
}

async function ask(world: World): Promise<Outcome<Mark | null, Silent>> {
  let marked: Mark | null = null
  const parts: readonly (readonly [Part, () => Promise<unknown>])[] = [
    [
      'store',
      async () => {
        marked = markIn((await world.store.heads([CLOCK]))[0]?.body)
      },
    ],
    ['bucket', () => world.objects.get(PROBE)],
  ]
  const answers = await Promise.all(parts.map(([, read]) => doesAnswer(world, read)))
  const silent = parts.flatMap(([part], index) => (answers[index] ? [] : [part]))
  return silent.length === 0 ? ok(marked) : fail(silent)
}

const markIn = (body: string | undefined): Mark | null =>
  body === undefined ? null : (JSON.parse(body) as Mark)

/**
 * Reports whether a storage part responds; logs the reason of a failure, which may reveal the
 * storage location.
 */
async function doesAnswer(world: World, read: () => Promise<unknown>): Promise<boolean> {
  const timer = new AbortController()
  const late = world.clock.sleep(WITHIN_MS, timer.signal).then(() => false)
  const reading = (async () => read())().then(
    () => true,
    (error: unknown) => {
      const text = error instanceof Error ? error.message : String(error)
      world.log?.write({ level: 'warn', event: 'not_ready', error: text })
      return false
    },
  )
  const isReady = await Promise.race([reading, late])
  timer.abort('over')
  return isReady
}
