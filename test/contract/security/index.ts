/**
 * The list of security cases over HTTP: the same requests, statuses, and codes on every platform. A
 * row that no request shows is listed with its reason and its test (`elsewhere.ts`).
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, clientOf, type Open } from '../../support/launch.ts'
import { startModelServer } from '../../support/model-server.ts'
import { BODIES } from './bodies.ts'
import { CURSORS } from './cursors.ts'
import { AGENT_FILES, SERVER_FILES } from './files.ts'
import { KEYS } from './keys.ts'
import type { Case, SecurityHost } from './kit.ts'
import { IDEMPOTENCY, TENANCY } from './requests.ts'
import { RUNS, SCHEDULES } from './runs.ts'
import { OWN_HOST, URLS } from './urls.ts'

export const CASES: readonly Case[] = [
  ...KEYS,
  ...AGENT_FILES,
  ...SERVER_FILES,
  ...BODIES,
  ...IDEMPOTENCY,
  ...URLS,
  ...TENANCY,
  ...RUNS,
  ...CURSORS,
  ...SCHEDULES,
]

/** The platform whose requests pass a URL parser before the program. */
export const WORKERS = 'Cloudflare Workers'

type Start = (env: Readonly<Record<string, string>>, open: Open) => Promise<{ client: Client }>

export function securityContract(name: string, start: Start): void {
  describe(`security cases on ${name}`, () => {
    const open: Open = []
    let host: SecurityHost
    beforeAll(async () => {
      const model = await startModelServer()
      open.push(model.close)
      const env = {
        OPENAI_BASE_URL: model.url,
        STRATA_OWN_HOSTS: OWN_HOST,
        STRATA_HOSTS: '127.0.0.1',
        ALLOW_LOOPBACK: 'false',
      }
      const { client } = await start(env, open)
      const init = { method: 'POST', json: { id: 'other', name: 'Another tenant' } }
      const { key } = await client.get<{ key: { text: string } }>('/v1/tenants', init)
      host = { client, other: clientOf(client.url, key.text) }
    })
    afterAll(async () => {
      for (const close of open.splice(0).reverse()) await close()
    })

    for (const [row, title, ask, status, code, onWorkers] of CASES) {
      const expected = (name === WORKERS && onWorkers) || { status, code }
      it(`${row}: ${title}`, async () => {
        const reply = await ask(host)
        expect([reply.status, reply.code]).toEqual([expected.status, expected.code])
      })
    }
  })
}
