/** The contract: openapi.json, a page that reads it without anything from elsewhere, `/llms.txt`. */

import { docsPage } from '../docs-page.ts'
import { llmsText } from '../llms.ts'
import type { Document } from '../openapi/document.ts'
import type { Api } from '../route.ts'

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

export function docsRoutes({ app }: Api, document: () => Document): void {
  let made: { json: string; page: string; llms: string } | undefined
  const make = () => {
    if (!made) {
      const doc = document()
      made = { json: JSON.stringify(doc), page: docsPage(doc), llms: llmsText(doc) }
    }
    return made
  }
  app.get('/', (c) =>
    c.req.header('accept')?.includes('text/html') ? c.redirect('/docs') : c.json(PLACES),
  )
  app.get('/llms.txt', (c) => c.text(make().llms))
  app.get('/openapi.json', (c) =>
    c.body(make().json, 200, { 'content-type': 'application/json; charset=utf-8' }),
  )
  app.get('/docs', (c) =>
    c.html(make().page, 200, {
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    }),
  )
}
