/** Generates the contract's texts from the routes; a build writes the texts to dist/assets. */

import type { TextName } from '../assets.ts'
import { openapi } from '../openapi/document.ts'
import type { Route } from '../request/route.ts'
import { llmsText } from './llms.ts'
import { PAGE, THEME } from './page.ts'
import { plainPage } from './plain.ts'
import { withSamples } from './samples.ts'

const NO_RENDERER =
  'The rapidoc package is not installed; run npm ci to search this page and try its ' + 'requests.'

/**
 * Returns every contract text by name. Without a renderer, `/docs` is the plain page with the
 * reason.
 */
export function docsTexts(
  routes: readonly Route[],
  hasRenderer: boolean,
): Readonly<Record<TextName, string>> {
  const document = openapi(routes)
  return {
    'openapi.json': JSON.stringify(document),
    'llms.txt': llmsText(document),
    'docs.html': hasRenderer ? PAGE : plainPage(document, NO_RENDERER),
    'docs-plain.html': plainPage(document),
    'docs-openapi.json': JSON.stringify(withSamples(document)),
    'docs-theme.js': THEME,
  }
}
