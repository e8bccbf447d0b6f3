/**
 * Changes a file under the exact condition of its plan. When retried after a crash, a file that has
 * the new content counts as done. No edit is repeated and no concurrent write is lost (PROTOCOL.md
 * rule 14).
 */

import { LIMITS } from '../../core/limits.ts'
import type { WritePlan } from '../../core/run/log/facts.ts'
import { sha256 } from '../../lib/digest.ts'
import type { StoredObject } from '../../ports/world.ts'
import { isStale, putFile, readFile } from '../layers/files.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import { locate } from './paths.ts'
import { type Folder, spaceOf } from './tool.ts'

interface Change {
  readonly done: string
  /** Computes the file's new content from the content that the plan expects. */
  readonly body: (current: StoredObject | null) => Uint8Array
}

export async function change(
  folder: Folder,
  path: string,
  plan: WritePlan,
  { done, body }: Change,
): Promise<ToolAnswer> {
  const space = spaceOf(folder)
  const key = locate(folder.place, path, 'write')
  if (!key.ok) return bad(key.error)
  const current = await readFile(space, key.value)
  if (isAfter(current, plan)) return good(done)
  if ((current?.etag ?? null) !== plan.before) return bad(CHANGED)
  const expect = current === null ? 'absent' : { etag: current.etag }
  const put = await putFile(space, key.value, body(current), expect)
  if (put.ok) return good(done)
  if (!isStale(put.error)) return bad(`${put.error.code}: ${put.error.detail}`)
  // The conflict may be with an earlier attempt of this change whose response was lost.
  return isAfter(await readFile(space, key.value), plan) ? good(done) : bad(CHANGED)
}

const isAfter = (current: StoredObject | null, { after }: WritePlan): boolean =>
  current !== null && sha256(current.body) === after

const CHANGED = 'conflict: the file has changed; read it again.'
export const tooLarge = (bytes: number): string =>
  `too_large: ${bytes} bytes; the limit is ${LIMITS.file_body_bytes}.`
