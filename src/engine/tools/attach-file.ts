/** `attach_file`: attaches a file to the final result of a run. */

import { attachFile as tool } from '../../core/tools/builtin/attach-file.ts'
import { readFile } from '../layers/files.ts'
import type { ToolAnswer } from './answer.ts'
import { bad } from './answer.ts'
import { locate } from './paths.ts'
import { absent } from './text-of.ts'
import { type Caller, performed, placeOf, spaceOf } from './tool.ts'

export const attachFile = performed(tool, { perform: attach })

async function attach(caller: Caller, args: { readonly path: string }): Promise<ToolAnswer> {
  const place = await placeOf(caller, args.path)
  const key = locate(place, args.path, 'read')
  if (!key.ok) return bad(key.error)
  const file = await readFile(spaceOf(caller), key.value)
  if (!file) return bad(absent(args.path))
  const path = `${place.root}${args.path.replace(/^\.\//, '')}`
  return { status: 'ok', text: `Attached ${args.path}.`, attachments: [path] }
}
