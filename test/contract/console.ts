/** The built console, as every host serves it. */

import { expect } from 'vitest'
import type { Client } from '../support/launch.ts'

/** The page and its script come in each encoding, and are the same text. */
export async function servesConsole(client: Client): Promise<void> {
  const get = async (path: string, encoding: string) => {
    const answer = await client.ask(path, { headers: { 'accept-encoding': encoding } })
    const text = await answer.text()
    expect([path, answer.status, text.slice(0, 200)]).toMatchObject([path, 200, text.slice(0, 200)])
    return text
  }
  const page = await get('/console/chat/ses_1', 'br')
  const [, script = ''] = /src="(\/console\/assets\/[^"]+\.js)"/.exec(page) ?? []
  for (const path of ['/console', script]) {
    const [plain = '', ...encoded] = await Promise.all(
      ['identity', 'gzip', 'br'].map((encoding) => get(path, encoding)),
    )
    expect(plain.length).toBeGreaterThan(100)
    expect(encoded.map((text) => text === plain)).toEqual([true, true])
  }
}
