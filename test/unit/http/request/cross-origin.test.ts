/** Pages of other origins: what the list admits, to the letter. */

import { expect, it } from 'vitest'
import { testApi } from '../../../support/http.ts'

it('only a listed origin can read responses, and no origin with the same suffix', async () => {
  const api = await testApi({ settings: { corsOrigins: ['https://app.example'] } })
  const allowed = async (origin: string) =>
    (await api.call('GET', '/v1/runs', { headers: { origin } })).headers.get(
      'access-control-allow-origin',
    )
  expect(await allowed('https://app.example')).toBe('https://app.example')
  for (const origin of [
    ...['https://evilapp.example', 'https://x.app.example', 'https://app.example.evil.example'],
    ...['http://app.example', 'https://app.example:8443', 'https://APP.example', 'null'],
    ...['https://app.example/', 'https://app.example@evil.example', ''],
  ])
    expect([origin, await allowed(origin)]).toEqual([origin, null])
})
