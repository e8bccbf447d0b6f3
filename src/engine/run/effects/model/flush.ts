/**
 * Writes the information that the model noted as lasting (`notes.ts`) to the run's memory. Existing
 * entries are skipped, so retries change nothing. The fact reports entries that cannot be written,
 * and the run continues. Storage failures are retried at the next step.
 */

import type { MemoryFlushed, NotedEntry, RunError } from '../../../../core/run/log/facts.ts'
import type { Pin } from '../../../../core/run/log/pin.ts'
import { memoryWrite } from '../../../../core/tools/builtin/memory-write.ts'
import { deniedText, rulingOf } from '../../../../core/tools/rules.ts'
import { Unavailable } from '../../../../lib/unavailable.ts'
import { type MemoryContext, writeMemory } from '../../../manage/memory.ts'
import { homeOfRun } from '../../../partition/home.ts'
import type { EffectResult } from '../../../partition/log-type.ts'
import { load } from '../../../tenant/blobs.ts'
import { policyNow } from '../../../tenant/policy.ts'
import { memoryOfRun } from '../../memory.ts'
import { type Context, pinOf } from '../context.ts'

type WrittenEntry = MemoryFlushed['written'][number]

export async function performFlush(context: Context, step: number): Promise<EffectResult> {
  const { state, world } = context
  const { clock } = world
  const until = clock.monotonic() + WITHIN_MS
  const pin = await pinOf(context)
  const writtenEntries: WrittenEntry[] = []
  const errors: RunError[] = []
  const unwritten: number[] = []
  const denial = await policyDenial(context, pin)
  for (const [index, entry] of (state.flush?.pending ?? []).entries()) {
    const late = clock.monotonic() > until ? LATE : undefined
    const done = denial ?? late ?? (await writeDown(context, pin, entry, `${step} ${index}`))
    if (!('code' in done)) writtenEntries.push(done)
    else {
      errors.push(done)
      if (done.code === 'unavailable') unwritten.push(index)
    }
  }
  const fact: MemoryFlushed = {
    ...{ type: 'memory.flushed', step, written: writtenEntries },
    ...(errors.length > 0 ? { errors } : {}),
    ...(unwritten.length > 0 ? { unwritten } : {}),
  }
  return { facts: [fact] }
}

/** Maximum time to wait for concurrent writers, in milliseconds. The effect itself has a minute. */
const WITHIN_MS = 30_000
const LATE: RunError = {
  code: 'unavailable',
  message: 'Earlier entries took too long; this one is written at the next step.',
}

async function policyDenial(context: Context, pin: Pin): Promise<RunError | undefined> {
  const { policy } = await policyNow(context)
  const ruling = rulingOf(memoryWrite.name, pin, policy, () => undefined)
  return ruling && { code: 'not_allowed', message: deniedText(memoryWrite.name, ruling) }
}

const TRIES = 3
const PAUSE_MS = 1_000

async function writeDown(
  context: Context,
  pin: Pin,
  { content, path, heading }: NotedEntry,
  once: string,
): Promise<WrittenEntry | RunError> {
  const { world, tenant, state, signal } = context
  const { memory } = memoryOfRun(state, pin)
  if (!memory) return { code: 'not_allowed', message: 'The run has no memory.' }
  const manager: MemoryContext = {
    world,
    tenant,
    by: memory.by,
    run: memory,
    once: `${memory.by} ${once}`,
  }
  const text = await load(world, homeOfRun(tenant, state.spec), content)
  for (let attempt = 1; ; attempt += 1) {
    try {
      const done = await writeMemory(manager, { content: text, path, heading }, null)
      if (!done.ok) return { code: done.error.code, message: done.error.detail }
      const { path: where, added, duplicates } = done.value
      return { path: where, added, duplicates }
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      if (attempt === TRIES || signal.aborted)
        return { code: 'unavailable', message: error.message }
      await world.clock.sleep(PAUSE_MS, signal)
    }
  }
}
