/**
 * Writes dist/assets: the texts of the contract, and RapiDoc where it is installed. It runs after
 * `npm ci`, with `npm run build`, and before every start and deployment of the Worker, because
 * wrangler refuses a folder of assets that does not exist.
 */

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { memoryWorld } from '../../src/hosts/memory/world.ts'
import { createApp } from '../../src/http/app.ts'
import { RENDERER } from '../../src/http/assets.ts'
import { docsTexts } from '../../src/http/docs/texts.ts'

const ROOT = join(import.meta.dirname, '../..')
/** A development dependency: an installation without these lacks it. */
const RAPIDOC = join(ROOT, 'node_modules/rapidoc/dist')

export function writeAssets(folder = join(ROOT, 'dist/assets')): void {
  const hasRenderer = existsSync(join(RAPIDOC, RENDERER))
  const { routes } = createApp(memoryWorld())
  const texts = Object.entries(docsTexts(routes, hasRenderer))
  const files = hasRenderer ? [RENDERER, `${RENDERER}.LICENSE.txt`] : []
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of texts) put(join(folder, name), Buffer.from(text))
  for (const name of files) put(join(folder, name), readFileSync(join(RAPIDOC, name)))
}

/** Replaces a file that differs at once, because Workers of other processes may read it. */
function put(file: string, content: Buffer): void {
  if (existsSync(file) && readFileSync(file).equals(content)) return
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, content)
  renameSync(temporary, file)
}
