/** What a run would see: layers in, resolved config out, with the origin of every entry. */

import { selection } from '../../engine/accept.ts'
import { resolveLayers } from '../../engine/resolve.ts'
import { Refused } from '../problem.ts'
import { shownResolved } from '../redact.ts'
import type { Api } from '../route.ts'
import { route } from '../route.ts'
import { Resolved, ResolveInput } from '../schemas/config.ts'

export function resolveRoutes(api: Api): void {
  route(
    api,
    {
      method: 'post',
      path: '/v1/resolve',
      tag: 'Layers',
      summary: 'Resolve layers',
      description:
        'What a run with these layers would work with, where each entry came from and what it ' +
        'hid, and one record per file. Changes nothing.',
      scope: 'layers:read',
      body: ResolveInput,
      answers: { 200: { description: 'Resolved', schema: Resolved } },
    },
    async ({ c, world, tenant, body }) => {
      const layers = selection(body)
      if (!layers.ok) throw new Refused(layers.error)
      const resolved = await resolveLayers(world, tenant, layers.value)
      if (!resolved.ok) throw new Refused(resolved.error)
      return c.json(shownResolved(resolved.value))
    },
  )
}
