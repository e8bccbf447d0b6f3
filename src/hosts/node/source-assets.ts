/**
 * Provides console and text assets in a source checkout, where a build may be missing or stale.
 * Texts are generated on the first request. The console comes from the last build.
 */

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type Assets, type ConsoleName, RENDERER, type TextName } from '../../http/assets.ts'
import type { Route } from '../../http/request/route.ts'
import { assetsIn } from './assets.ts'

const RENDERER_FILE = new URL(`../../../node_modules/rapidoc/dist/${RENDERER}`, import.meta.url)

const built = assetsIn(new URL('../../../dist/assets/', import.meta.url))
const isConsole = (name: string): name is ConsoleName => name.startsWith('console/')

/** Creates the source-checkout assets; `routes` is called when the first text is requested. */
export function sourceAssets(routes: () => readonly Route[]): Assets {
  const hasRenderer = existsSync(RENDERER_FILE)
  let texts: Promise<Readonly<Record<TextName, string>>> | undefined
  return async (name) => {
    if (name === RENDERER) return hasRenderer ? readFile(RENDERER_FILE) : undefined
    if (isConsole(name)) return built(name)
    texts ??= import('../../http/docs/texts.ts').then(({ docsTexts }) =>
      docsTexts(routes(), hasRenderer),
    )
    return (await texts)[name]
  }
}
