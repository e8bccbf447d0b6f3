/** Retries of the client: a refusal that no time changes reaches the caller at once. */

import { expect, it } from 'vitest'
import { createClient } from '../../src/client/index.ts'

/** Sends one request, to which all answers are the refusal; returns the number of requests. */
async function requestsUntilError(code: string): Promise<number> {
  let requests = 0
  const client = createClient({
    ...{ url: 'http://127.0.0.1:1', apiKey: 'k', retries: 1 },
    fetch: async () => {
      requests += 1
      return Response.json({ code, status: 429, detail: 'Refused.' }, { status: 429 })
    },
  })
  const refused = client.keys.create({ scopes: ['runs:read'] })
  await expect(refused).rejects.toMatchObject({ status: 429, code })
  return requests
}

it('a full quota without a time to retry is not requested again', async () => {
  expect(await requestsUntilError('quota_exceeded')).toBe(1)
  expect(await requestsUntilError('rate_limited')).toBe(2)
})
