/**
 * Provides console and text assets in a source checkout, where a build may be missing or stale.
 * Texts are generated on the first request. The console comes from the last build.
 */

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import {
  type AssetBody,
  type Assets,
  type ConsoleName,
  RENDERER,
  type TextName,
} from '../../http/assets.ts'
import type { Route } from '../../http/request/route.ts'
import { encode } from '../../lib/bytes.ts'
import { assetsIn } from './assets.ts'

const RENDERER_FILE = new URL(`../../../node_modules/rapidoc/dist/${RENDERER}`, import.meta.url)

const built = assetsIn(new URL('../../../dist/assets/', import.meta.url))
const isConsole = (name: string): name is ConsoleName => name.startsWith('console/')

/** Creates the source-checkout assets; `routes` is called when the first text is requested. */
export function sourceAssets(routes: () => readonly Route[]): Assets {
  const hasRenderer = existsSync(RENDERER_FILE)
  let texts: Promise<Readonly<Record<TextName, AssetBody>>> | undefined
  return async (name) => {
    if (name === RENDERER) return hasRenderer ? readFile(RENDERER_FILE) : undefined
    if (isConsole(name)) return built(name)
    texts ??= docsBytes(routes(), hasRenderer)
    return (await texts)[name]
  }
}

/** Generates the texts as bytes, because a server would encode strings again for each response. */
async function docsBytes(
  routes: readonly Route[],
  hasRenderer: boolean,
): Promise<Readonly<Record<TextName, AssetBody>>> {
  const { docsTexts } = await import('../../http/docs/texts.ts')
  const texts = Object.entries(docsTexts(routes, hasRenderer))
  return Object.fromEntries(texts.map(([name, text]) => [name, encode(text)])) as Record<
    TextName,
    AssetBody
  >
}
