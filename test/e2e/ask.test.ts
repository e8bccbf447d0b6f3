/** examples/ask.sh as a person runs it: a model asks, a message and an input of the session answer. */

import { expect, it } from 'vitest'
import { runExample } from '../support/example.ts'
import { startNodeApi } from '../support/node-api.ts'

it('examples/ask.sh asks two questions and receives two answers', async () => {
  const { url, key } = await startNodeApi()
  const { code, out } = await runExample('ask.sh', { STRATA_URL: url, STRATA_API_KEY: key })
  expect(out.trim().split('\n')).toEqual([
    'The run waits for input and shows its question …',
    '… and the list that it works by.',
    'A message is the answer.',
    'The run has gone on with it.',
    'An input of the session is an answer, too.',
    'That run has gone on, too.',
    'ask ok',
  ])
  expect(code).toBe(0)
})
