/**
 * `file_write`: plans the write (file digests before and after), then changes the file
 * (`change.ts`).
 */

import { LIMITS } from '../../core/limits.ts'
import type { WritePlan } from '../../core/run/log/facts.ts'
import { fileWrite as tool } from '../../core/tools/builtin/file-write.ts'
import { encode } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import { readFile } from '../layers/files.ts'
import type { ToolAnswer } from './answer.ts'
import { bad } from './answer.ts'
import { change, tooLarge } from './change.ts'
import { locate } from './paths.ts'
import { type Folder, performed, spaceOf } from './tool.ts'

interface Args {
  readonly path: string
  readonly content: string
}

export const fileWrite = performed(tool, { plan, perform: write })

async function plan(folder: Folder, args: Args): Promise<WritePlan | ToolAnswer> {
  const key = locate(folder.place, args.path, 'write')
  if (!key.ok) return bad(key.error)
  const after = encode(args.content)
  if (after.length > LIMITS.file_body_bytes) return bad(tooLarge(after.length))
  const existing = await readFile(spaceOf(folder), key.value)
  return { before: existing?.etag ?? null, after: sha256(after) }
}

async function write(
  folder: Folder,
  args: Args,
  storedPlan: WritePlan | null,
): Promise<ToolAnswer> {
  const planned = storedPlan ?? (await plan(folder, args))
  if ('status' in planned) return planned
  const body = encode(args.content)
  const done = `${planned.before === null ? 'Created' : 'Replaced'} ${args.path} (${body.length} bytes).`
  return change(folder, args.path, planned, { done, body: () => body })
}
