/** The rows of inputs to refuse, on a host that runs: generated from the table. */

import { expect, it } from 'vitest'
import type { Client } from '../../support/launch.ts'
import { type RawAnswer, raw } from '../../support/raw.ts'
import { type Ask, RESOLVED, SECURITY_ROWS } from './table.ts'

const TEST_MS = 60_000

/** `resolves`: the platform repairs paths before the program sees them. */
export function refusesRows(client: () => Client, resolves: boolean): void {
  for (const { title, before = [], asks, answer } of SECURITY_ROWS)
    it.skipIf(resolves && title === RESOLVED)(
      `${title}: refused`,
      async () => {
        for (const ask of before)
          expect(await sent(client(), ask)).toMatchObject({ status: expect.toBeOneOf(DONE) })
        for (const ask of asks) {
          const { status, body } = await sent(client(), ask)
          const [wanted, code] = answer
          const said = code === undefined ? undefined : codeOf(body)
          expect([status, said], shown(ask)).toEqual([wanted, code])
        }
      },
      TEST_MS,
    )
}

const DONE = [200, 201, 202]

function sent(
  client: Client,
  { method = 'GET', path, body, headers = [] }: Ask,
): Promise<RawAnswer> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const isTyped = headers.some(([name]) => name === 'content-type')
  const type: [string, string][] =
    text === undefined || isTyped ? [] : [['content-type', 'application/json']]
  return raw(client, { method, path, headers: [...type, ...headers], body: text ?? '' })
}

/** By its text: a body may come in chunks, which are written between its parts. */
const codeOf = (body: string): string | undefined => /"code":"(\w+)"/.exec(body)?.[1]

const shown = ({ method = 'GET', path, body }: Ask): string =>
  `${method} ${path.slice(0, 100)} ${String(JSON.stringify(body)).slice(0, 200)}`
