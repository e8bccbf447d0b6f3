/** `npm run build`: the JavaScript and declarations of src in dist, and the renderer of /docs. */

import { spawnSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { RENDERER } from '../../src/http/docs/page.ts'
import { ensureClientTypes } from './client-types/main.ts'

const ROOT = join(import.meta.dirname, '../..')

ensureClientTypes()
rmSync(join(ROOT, 'dist'), { recursive: true, force: true })
const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
const options = { cwd: ROOT, stdio: 'inherit' } as const
process.exitCode =
  spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], options).status ?? 1
const made = join(ROOT, 'node_modules/rapidoc/dist')
for (const name of [RENDERER, `${RENDERER}.LICENSE.txt`])
  cpSync(join(made, name), join(ROOT, 'dist/assets', name))
