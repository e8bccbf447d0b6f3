/** The contract: openapi.json, pages that read it without anything from elsewhere, `/llms.txt`. */

import type { Context } from 'hono'
import { llmsText } from '../docs/llms.ts'
import { PAGE, PAGE_POLICY, RENDERER, THEME } from '../docs/page.ts'
import { PLAIN_POLICY, plainPage } from '../docs/plain.ts'
import { withSamples } from '../docs/samples.ts'
import type { Document } from '../openapi/document.ts'
import type { Api } from '../route.ts'

/** The renderer of the page, as a host serves it beside its program. */
export type Renderer = () => Promise<Uint8Array<ArrayBuffer> | ReadableStream>

/** The answer of `GET /` to programs; browsers are sent to `/docs`. */
const PLACES = {
  name: 'strata',
  docs: '/docs',
  openapi: '/openapi.json',
  llms: '/llms.txt',
  api: '/v1',
  mcp: '/mcp',
  health: '/healthz',
}
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const SCRIPT_TYPE = { 'content-type': 'text/javascript; charset=utf-8' }
const NO_RENDERER =
  'To search it and to try its requests, deploy the asset rapidoc-min.js, which is not here.'

/** `renderer` undefined: `/docs` is the plain page, and says why. */
export function docsRoutes(
  { app }: Api,
  document: () => Document,
  renderer: Renderer | undefined,
): void {
  const contract = made(() => JSON.stringify(document()))
  const sampled = made(() => JSON.stringify(withSamples(document())))
  const llms = made(() => llmsText(document()))
  const plain = made(() => plainPage(document(), renderer ? undefined : NO_RENDERER))
  const answerPlain = (c: Context) =>
    c.html(plain(), 200, { 'content-security-policy': PLAIN_POLICY })

  app.get('/', (c) =>
    c.req.header('accept')?.includes('text/html') ? c.redirect('/docs') : c.json(PLACES),
  )
  app.get('/llms.txt', (c) => c.text(llms()))
  app.get('/openapi.json', (c) => c.body(contract(), 200, JSON_TYPE))
  app.get('/docs/plain', answerPlain)
  if (!renderer) {
    app.get('/docs', answerPlain)
    return
  }
  app.get('/docs', (c) => c.html(PAGE, 200, { 'content-security-policy': PAGE_POLICY }))
  app.get('/docs/openapi.json', (c) => c.body(sampled(), 200, JSON_TYPE))
  app.get('/docs/theme.js', (c) => c.body(THEME, 200, SCRIPT_TYPE))
  app.get(`/docs/${RENDERER}`, async (c) =>
    c.body(await renderer(), 200, { ...SCRIPT_TYPE, 'cache-control': 'public, max-age=86400' }),
  )
}

/** Made when it is first asked for, and kept. */
function made(make: () => string): () => string {
  let text: string | undefined
  return () => {
    text ??= make()
    return text
  }
}
