/** Examples of problem documents. */

import { LIMITS } from '../../../core/limits.ts'
import { PROBLEMS } from '../../../core/problem.ts'
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

const TOO_BIG = `Too big: expected number to be <=${LIMITS.steps_max}`

export const PROBLEM_EXAMPLES = [
  problem('not_found', 'Run not found.', `/v1/runs/${RUN}`),
  {
    ...problem('invalid_request', `${TOO_BIG} (/limits/max_steps)`, '/v1/runs'),
    errors: [{ pointer: '/limits/max_steps', message: TOO_BIG }],
  },
]
