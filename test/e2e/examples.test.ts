/** Scripts of examples/ as a person runs them, against the Node host. */

import { expect, it } from 'vitest'
import { runExample } from '../support/example.ts'
import { startNodeApi } from '../support/node-api.ts'

it.each([
  [
    'fanout-ci.sh',
    [
      '2 files are looked at.',
      'The same job again is the same fan-out.',
      'All of them were.',
      'fanout-ci ok',
    ],
  ],
  [
    'approval.sh',
    [
      'The policy asks before a file is written.',
      'The inbox shows the call and its arguments.',
      'Somebody says yes.',
      'The run has gone on.',
      'The audit says who.',
      'approval ok',
    ],
  ],
  [
    'github-hook.sh',
    [
      'The hook has a URL of its own and a secret that is shown once.',
      'A wrong signature is refused.',
      'An issue starts a run.',
      'Delivered twice it is the same run.',
      'The run has triaged it.',
      'Its words are data for the model, marked as such.',
      'github-hook ok',
    ],
  ],
])('examples/%s does what it says', async (name, lines) => {
  const { url, key } = await startNodeApi()
  const { code, out } = await runExample(name, { STRATA_URL: url, STRATA_API_KEY: key })
  expect(out.trim().split('\n')).toEqual(lines)
  expect(code).toBe(0)
})
