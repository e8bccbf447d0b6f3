/**
 * Reads the tasks of a fan-out request, and the content that the tasks name, before anything is
 * stored.
 */

import { LIMITS } from '../../core/limits.ts'
import type { Media } from '../../core/media.ts'
import type { Refusal } from '../../core/problem.ts'
import { type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { type ContentRoom, readContent } from '../run/content.ts'
import type { FanoutRequest, TaskRequest } from './request.ts'

/** Task whose text and named content have been read into one string. */
export interface ReadTask extends Omit<TaskRequest, 'task'> {
  readonly task: string
  readonly media?: readonly Media[]
}

/** Fan-out request with its tasks read, but not the closing run's input. */
export interface ReadRequest extends Omit<FanoutRequest, 'tasks' | 'then'> {
  readonly tasks?: readonly ReadTask[] | undefined
  readonly then?: { readonly agent?: string | undefined } | undefined
}

/** Returns the content budget that all tasks of a fan-out request share. */
export const fanoutRoom = (): ContentRoom => ({
  parts: LIMITS.media_fanout_parts,
  bytes: LIMITS.media_fanout_bytes,
})

/** Reads the tasks of a request sequentially, which bounds memory. */
export async function readTasks(
  world: World,
  tenant: string,
  tasks: readonly TaskRequest[],
  room: ContentRoom,
): Promise<Outcome<readonly ReadTask[], Refusal>> {
  const read: ReadTask[] = []
  for (const [index, { task, ...fields }] of tasks.entries()) {
    const pointer = `/tasks/${index}/task`
    const content = await readContent(world, tenant, task, { pointer, room })
    if (!content.ok) return content
    const { text, media } = content.value
    read.push({ ...fields, task: text, ...(media.length === 0 ? {} : { media }) })
  }
  return ok(read)
}
