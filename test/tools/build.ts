/** `npm run build`: the JavaScript and declarations of src in dist, and the files of dist/assets. */

import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeAssets } from './assets.ts'
import { ensureClientTypes } from './client-types/main.ts'
import { buildConsole } from './console.ts'

const ROOT = join(import.meta.dirname, '../..')
const DIST = join(ROOT, 'dist')

ensureClientTypes()
// Written first: afterwards the folder exists, and Workers that serve from it are not disturbed.
writeAssets()
await buildConsole()
for (const name of readdirSync(DIST))
  if (name !== 'assets') rmSync(join(DIST, name), { recursive: true })
const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
const options = { cwd: ROOT, stdio: 'inherit' } as const
process.exitCode =
  spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], options).status ?? 1
