/** The time that a request may spend on the addresses of its pictures, by the clock of the world. */

import { expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { ok } from '../../../../src/lib/outcome.ts'
import type { Web } from '../../../../src/ports/world.ts'
import { testApi } from '../../../support/http.ts'
import { GIF } from '../../../support/pictures.ts'

const SLOW_MS = 12_000

it('422: URLs in one request share the time for which its caller waits', async () => {
  const timeouts: number[] = []
  const web: Web = {
    check: () => undefined,
    async send({ timeoutMs }) {
      timeouts.push(timeoutMs)
      api.world.clock.advance(SLOW_MS)
      return ok({ status: 200, headers: {}, body: '', bytes: GIF })
    },
  }
  const api = await testApi({ web })
  const task = [{ type: 'image', url: 'https://pictures.example/slow.gif' }]
  const json = { tasks: [{ task }, { task }, { task }] }
  const { status, body } = await api.call('POST', '/v1/fanouts', { json })
  const all = LIMITS.media_fetch_seconds * 1_000
  expect(timeouts).toEqual([all, all - SLOW_MS])
  expect([status, body.errors[0]]).toMatchObject([
    422,
    {
      pointer: '/tasks/2/task/0/url',
      message: expect.stringContaining('limited to 20 s in total'),
    },
  ])
})
