/** The request that starts a run like another. */

import * as z from 'zod'
import { RUN_REQUESTS } from '../examples/run-request.ts'
import { idOf, kindIs, text } from './words.ts'

const LeftOut = z.strictObject({
  member: text('The member of the request, or the property of the run'),
  why: text('Why it is not given again, for people'),
})
export type LeftOut = z.output<typeof LeftOut>

export const RunRequest = z
  .strictObject({
    object: kindIs('run.request'),
    run_id: idOf('run', 'The run'),
    request: z
      .looseObject({ input: z.unknown().describe('The input in full, as `RunInput` takes it') })
      .describe('A body of `POST /v1/runs`: a `RunInput`'),
    left_out: z.array(LeftOut).describe('What the run had and the request has not; empty: nothing'),
  })
  .meta({
    id: 'RunRequest',
    description: 'The request that starts a run like one that there is',
    examples: RUN_REQUESTS,
  })
