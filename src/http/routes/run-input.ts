/** Serves the request that created a run, so that a client can send the request again. */

import { LIMITS } from '../../core/limits.ts'
import { rebuildRequest } from '../../engine/run/rebuild-request.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { RunInputCopy } from '../schemas/runs/run-request.ts'
import { PATH_ID } from '../schemas/shared/words.ts'
import { untilTerminal } from '../stream/wait.ts'
import { inputOf } from './run-functions.ts'
import { pathPartition } from './run-reads.ts'

export function runInputRoutes(api: Api): void {
  route(
    api,
    {
      id: 'getRunInput',
      method: 'get',
      path: '/v1/runs/{id}/input',
      params: { id: PATH_ID.run },
      tag: 'Runs',
      summary: 'Get the request that created a run',
      description:
        'Returns a body for `POST /v1/runs` that creates an equal run, also for runs of hooks, ' +
        'schedules, fan-outs, and other runs. Members that equal their default are absent. In a ' +
        'session, `on_busy` is `enqueue`, so that the request never answers a question. Texts ' +
        'are complete, and files are included in Base64 if they fit into a request body of ' +
        `${LIMITS.media_body_bytes} bytes. Secrets and other values that the request cannot ` +
        'contain are listed in `omitted`. An input that a hook, a fan-out, or a parent run ' +
        'wrote, or with large text files, can exceed the size of a request body.',
      scope: 'runs:read',
      answers: {
        200: { description: 'The request and its omitted members', schema: RunInputCopy },
      },
    },
    async ({ c, world, tenant }) => {
      const { state } = await untilTerminal(world, pathPartition(c, tenant), 0)
      const { request, omitted } = await rebuildRequest(world, tenant, state)
      const run_id = state.spec!.id
      return c.json({ run_id, object: 'run.input', request: inputOf(request), omitted })
    },
  )
}
