/**
 * Runs after `npm ci`. Removes the 67 MB of C headers that the package `node` brings, which nothing
 * here is compiled against, writes dist/assets and the PDF reader of the sandbox Worker, generates
 * the types of the client, and builds the console; the last two not where development packages were
 * omitted.
 */

import { existsSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writePdfReader } from '../../infra/pdf-reader.ts'
import { writeAssets } from './assets.ts'
import { ensureClientTypes } from './client-types/main.ts'
import { buildConsole } from './console.ts'

const ROOT = join(import.meta.dirname, '../..')

for (const headers of globSync('node_modules/node/node_modules/node-*/include', { cwd: ROOT }))
  rmSync(join(ROOT, headers), { recursive: true })
writeAssets()
writePdfReader()
if (existsSync(join(ROOT, 'node_modules/typescript'))) ensureClientTypes()
await buildConsole()
