/** `file_write`: first the plan (digests before and after), then the change (`change.ts`). */

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

interface Given {
  readonly path: string
  readonly content: string
}

export const fileWrite = performed(tool, { plan, perform: write })

async function plan(folder: Folder, given: Given): Promise<WritePlan | ToolAnswer> {
  const key = locate(folder.place, given.path, 'write')
  if (!key.ok) return bad(key.error)
  const after = encode(given.content)
  if (after.length > LIMITS.file_body_bytes) return bad(tooLarge(after.length))
  const before = await readFile(spaceOf(folder), key.value)
  return { before: before?.etag ?? null, after: sha256(after) }
}

async function write(folder: Folder, given: Given, told: WritePlan | null): Promise<ToolAnswer> {
  const planned = told ?? (await plan(folder, given))
  if ('status' in planned) return planned
  const body = encode(given.content)
  const done = `${planned.before === null ? 'Created' : 'Replaced'} ${given.path} (${body.length} bytes).`
  return change(folder, given.path, planned, { done, body: () => body })
}
