/** The request of the triage run, to be sent again. */

import { RUN_INPUTS } from './runs.ts'
import { RUN } from './story.ts'

const { webhook: _, ...request } = RUN_INPUTS[1]!

export const RUN_REQUESTS = [
  {
    object: 'run.request',
    run_id: RUN,
    request,
    left_out: [{ member: 'webhook', why: 'its secret is shown to nobody; give the webhook again' }],
  },
]
