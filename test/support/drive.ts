/** Drives the engine in a memory world: takes wakes and handles them until nothing moves. */

import type { RunFact } from '../../src/core/run/log/facts.ts'
import { readRun } from '../../src/engine/logs/run.ts'
import { runPartition } from '../../src/engine/partition/keys.ts'
import type { Committed } from '../../src/engine/partition/log.ts'
import { factsAfter } from '../../src/engine/partition/log.ts'
import { acceptRun } from '../../src/engine/run/accept.ts'
import type { RunRequest } from '../../src/engine/run/request.ts'
import {
  type MemoryOverrides,
  type MemoryWorld,
  memoryWorld,
} from '../../src/hosts/memory/world.ts'
import { encode } from '../../src/lib/bytes.ts'
import { settle } from '../../src/testing/settle.ts'
import { scriptModel } from './script.ts'

export { settle, withTime } from '../../src/testing/settle.ts'

export const TENANT = 'test'

export const testWorld = (overrides: MemoryOverrides = {}): MemoryWorld =>
  memoryWorld({
    model: scriptModel(),
    ...overrides,
    settings: { flushMs: 250, ...overrides.settings },
  })

export async function putFiles(
  world: MemoryWorld,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await world.objects.put(`${TENANT}/files/${path}`, encode(text), 'any')
  }
}

export async function startRun(world: MemoryWorld, request: RunRequest): Promise<string> {
  const accepted = await acceptRun(world, TENANT, request)
  if (!accepted.ok) throw new Error(`${accepted.error.code}: ${accepted.error.detail}`)
  return accepted.value.run.state.spec!.id
}

export async function look(world: MemoryWorld, id: string): Promise<Committed> {
  const run = await readRun(world, runPartition(TENANT, id))
  if (!run) throw new Error(`no run ${id}`)
  return run
}

/** Starts a run, lets everything settle, and returns it as it then is. */
export async function runToRest(world: MemoryWorld, request: RunRequest): Promise<Committed> {
  const id = await startRun(world, request)
  await settle(world)
  return look(world, id)
}

/** The partitions that are due at any time, but for the audit chain, which is sealed later. */
export async function dueAtAnyTime(world: MemoryWorld): Promise<readonly string[]> {
  const { entries } = await world.store.due(Number.MAX_SAFE_INTEGER)
  const partitions = entries.map(({ partition }) => partition)
  return partitions.filter((partition) => !partition.startsWith(`${TENANT}/chain/`))
}

export const outputOf = (run: Committed): unknown => run.state.output?.text

/** The log of a run, oldest first. */
export async function factsOf(world: MemoryWorld, id: string): Promise<RunFact[]> {
  const rows = await world.store.read(runPartition(TENANT, id))
  return factsAfter(rows, 0).map(({ fact }) => fact)
}

export const typesOf = async (world: MemoryWorld, id: string): Promise<string[]> =>
  (await factsOf(world, id)).map(({ type }) => type)
