/**
 * After `npm ci`: the package `node` brings 67 MB of C headers beside its program. Nothing here is
 * compiled against them, so they go.
 */

import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

for (const headers of globSync('node_modules/node/node_modules/node-*/include', { cwd: ROOT }))
  rmSync(join(ROOT, headers), { recursive: true })
