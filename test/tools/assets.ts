/**
 * `npm run build:console`: what hosts serve beside their program, in dist/assets: the renderer of
 * /docs, and the console, built by Vite. `npm ci` runs it too.
 */

import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { RENDERER } from '../../src/http/docs/page.ts'

const ROOT = join(import.meta.dirname, '../..')
const ASSETS = join(ROOT, 'dist/assets')

export async function buildAssets(): Promise<void> {
  mkdirSync(ASSETS, { recursive: true })
  const made = join(ROOT, 'node_modules/rapidoc/dist')
  for (const name of [RENDERER, `${RENDERER}.LICENSE.txt`])
    cpSync(join(made, name), join(ASSETS, name))
  const { build } = await import('vite')
  await build({ configFile: join(ROOT, 'src/console/vite.config.ts'), logLevel: 'warn' })
}

if (process.argv[1] === import.meta.filename) {
  // Where only what runs is installed, nothing can be built; packages bring it.
  if (existsSync(join(ROOT, 'node_modules/vite'))) await buildAssets()
  else console.log('The console is not built: its tools are not installed (npm ci --omit=dev).')
}
