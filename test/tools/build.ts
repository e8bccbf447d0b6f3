/** `npm run build`: the JavaScript and declarations of src in dist, which is what the package has. */

import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

rmSync(join(ROOT, 'dist'), { recursive: true, force: true })
const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
const options = { cwd: ROOT, stdio: 'inherit' } as const
process.exitCode =
  spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], options).status ?? 1
