/** A message to a live run: committed before it is acknowledged, read by the next model call. */

import type { Refusal } from '../core/problem.ts'
import { refusal } from '../core/problem.ts'
import { hasMessage } from '../core/run/accepts.ts'
import { named, random } from '../lib/id.ts'
import type { Outcome } from '../lib/outcome.ts'
import { fail, ok } from '../lib/outcome.ts'
import type { World } from '../ports/world.ts'
import { spill } from './blob.ts'
import { command } from './command.ts'
import { readRun } from './log.ts'
import { parsePartition } from './names.ts'

export interface Sent {
  readonly message_id: string
  /** True when it had arrived before, by the same key. */
  readonly replayed: boolean
}

/** `key`: the same key is the same message. Refuses with `not_found` and `run_ended`. */
export async function sendMessage(
  world: World,
  partition: string,
  text: string,
  key: string | undefined,
): Promise<Outcome<Sent, Refusal>> {
  const { tenant, id: run } = parsePartition(partition)
  const message_id = key ? named('msg', run, key) : random('msg', world.clock.random(17))
  const body = await spill(world, tenant, text)
  const before = await readRun(world, partition)
  if (before && hasMessage(before.state, message_id)) return ok({ message_id, replayed: true })
  const received = { type: 'message.received', message_id, text: body } as const
  const after = await command(world, partition, [received])
  if (!after) return fail(refusal('not_found', 'There is no such run.'))
  if (hasMessage(after.state, message_id)) return ok({ message_id, replayed: false })
  return fail(refusal('run_ended', 'The run has ended, or is being cancelled.'))
}
