/**
 * Serves the API contract: openapi.json, documentation pages without external files, and
 * `/llms.txt`.
 */

import { type AssetName, type Assets, RENDERER } from '../assets.ts'
import { refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'

/** Response of `GET /` to programs, which lists paths; browsers are redirected to `/console`. */
const PLACES = {
  name: 'strata',
  console: '/console',
  docs: '/docs',
  openapi: '/openapi.json',
  llms: '/llms.txt',
  api: '/v1',
  mcp: '/mcp',
  health: '/healthz',
}

/**
 * Content security policy of the documentation pages. It allows only this origin; the renderer
 * creates style elements in its shadow trees.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
const PLAIN_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const SCRIPT_TYPE = { 'content-type': 'text/javascript; charset=utf-8' }
const TEXT_TYPE = { 'content-type': 'text/plain; charset=UTF-8' }
const page = (policy: string) => ({
  'content-type': 'text/html; charset=UTF-8',
  'content-security-policy': policy,
})

/** Path of each documentation file, with the asset name and the response headers. */
const FILES: readonly (readonly [string, AssetName, Record<string, string>])[] = [
  ['/llms.txt', 'llms.txt', TEXT_TYPE],
  ['/openapi.json', 'openapi.json', JSON_TYPE],
  ['/docs', 'docs.html', page(PAGE_POLICY)],
  ['/docs/plain', 'docs-plain.html', page(PLAIN_POLICY)],
  ['/docs/openapi.json', 'docs-openapi.json', JSON_TYPE],
  ['/docs/theme.js', 'docs-theme.js', SCRIPT_TYPE],
  [`/docs/${RENDERER}`, RENDERER, { ...SCRIPT_TYPE, 'cache-control': 'public, max-age=86400' }],
]

/** Declares the documentation routes; without `assets`, no file is available. */
export function docsRoutes({ app }: Api, assets: Assets | undefined): void {
  app.get('/', (c) =>
    c.req.header('accept')?.includes('text/html') ? c.redirect('/console') : c.json(PLACES),
  )
  for (const [path, name, headers] of FILES) {
    app.get(path, async (c) => {
      const body = await assets?.(name)
      if (body === undefined) throw refuse('unavailable', missing(name))
      return c.body(body, 200, headers)
    })
  }
}

const missing = (name: AssetName): string =>
  `The file ${name} is missing from this deployment. Run \`npm run build\`, and deploy ` +
  'dist/assets with the server.'
