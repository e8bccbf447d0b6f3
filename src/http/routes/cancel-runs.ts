/** Serves the cancellation of all runs that match a filter. */

import { runsList } from '../../engine/partition/keys.ts'
import { sealCursor } from '../../engine/partition/page.ts'
import { cancelPage } from '../../engine/run/cancel-many.ts'
import { canonical } from '../../lib/digest.ts'
import { openCursor } from '../request/page.ts'
import { type Api, route } from '../request/route.ts'
import {
  cancelFilterOf,
  RunsCancellation,
  RunsCancellationInput,
} from '../schemas/runs/cancel-runs.ts'

export function cancelRunsRoutes(api: Api): void {
  route(
    api,
    {
      id: 'cancelRuns',
      method: 'post',
      path: '/v1/runs/cancel',
      tag: 'Runs',
      summary: 'Cancel runs by filter',
      description:
        'Cancels active runs that match all filters of `GET /v1/runs`, newest first, with their ' +
        'descendants. No new model or tool call of these runs starts after the response; the ' +
        'runs may end later. Repeat with `cursor` while `has_more` is true. Runs that are created ' +
        'in the meantime are not cancelled.',
      scope: 'runs:write',
      body: RunsCancellationInput,
      answers: { 200: { description: 'Cancelled', schema: RunsCancellation } },
    },
    async ({ c, world, tenant, by, body }) => {
      const search = cancelFilterOf(body)
      const list = `${runsList(tenant)}?cancel=${canonical(search)}`
      const after = await openCursor(world, list, body.cursor)
      const options = { after, limit: body.limit, by, reason: body.reason ?? null }
      const { cancelled, next } = await cancelPage(world, tenant, search, options)
      const next_cursor = next === undefined ? null : await sealCursor(world, list, next)
      const object = 'runs_cancellation' as const
      return c.json({ object, cancelled, next_cursor, has_more: next_cursor !== null })
    },
  )
}
