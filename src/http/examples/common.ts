/** Problems as they are answered. */

import { PROBLEMS } from '../../core/problem.ts'
import { REQUEST, RUN } from './story.ts'

const problem = (code: keyof typeof PROBLEMS, detail: string, instance: string) => ({
  type: `urn:strata:problem:${code}`,
  title: PROBLEMS[code][1],
  status: PROBLEMS[code][0],
  detail,
  instance,
  code,
  request_id: REQUEST,
})

export const PROBLEM_EXAMPLES = [
  problem('not_found', 'There is no such run.', `/v1/runs/${RUN}`),
  {
    ...problem('invalid_request', 'limits.max_steps: must be at most 200', '/v1/runs'),
    errors: [{ pointer: '/limits/max_steps', message: 'must be at most 200' }],
  },
]
