/** What AWS is told by variables, and the sentences for those that cannot be meant. */

import { expect, it } from 'vitest'
import { openQueues } from '../../../../src/hosts/aws/ports.ts'

const url = 'https://sqs.eu-west-1.amazonaws.com/123456789012/main'
const env = {
  STRATA_QUEUE_MAIN: url,
  STRATA_QUEUE_SUBAGENT: url,
  STRATA_QUEUE_BACKGROUND: url,
  STRATA_QUEUE_RESUME: url,
}

it('a queue is identified by its URL, not by its name or ARN', () => {
  expect(openQueues(env).urls.main).toBe(url)
  for (const wrong of ['strata-main', 'arn:aws:sqs:eu-west-1:123456789012:main'])
    expect(() => openQueues({ ...env, STRATA_QUEUE_RESUME: wrong })).toThrow(
      `STRATA_QUEUE_RESUME must be a queue URL, not ${wrong}`,
    )
  expect(() => openQueues({ ...env, STRATA_QUEUE_RESUME: ' ' })).toThrow(/is not set/)
})
