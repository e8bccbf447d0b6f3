/** The contract: openapi.json, and a page that reads it without anything from elsewhere. */

import { docsPage } from '../docs-page.ts'
import type { Document } from '../openapi/document.ts'
import type { Api } from '../route.ts'

export function docsRoutes({ app }: Api, document: () => Document): void {
  let made: { json: string; page: string } | undefined
  const make = () => {
    if (!made) {
      const doc = document()
      made = { json: JSON.stringify(doc), page: docsPage(doc) }
    }
    return made
  }
  app.get('/openapi.json', (c) =>
    c.body(make().json, 200, { 'content-type': 'application/json; charset=utf-8' }),
  )
  app.get('/docs', (c) =>
    c.html(make().page, 200, {
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    }),
  )
}
