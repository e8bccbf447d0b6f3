/** Lists the tenant's layers, so that a client does not have to list all files. */

import * as z from 'zod'
import { layersAfter } from '../../engine/layers/list-layers.ts'
import { searched } from '../request/page.ts'
import type { Api } from '../request/route.ts'
import { allows, route } from '../request/route.ts'
import { Layer } from '../schemas/layers/layer-list.ts'
import { list, pageQuery } from '../schemas/shared/common.ts'

export function layerRoutes(api: Api): void {
  route(
    api,
    {
      id: 'listLayers',
      method: 'get',
      path: '/v1/layers',
      tag: 'Layers',
      summary: 'List layers',
      description:
        'Returns `base/`, each folder in `roles/` and `repos/`, and every other first folder ' +
        'that contains files, except workspaces of runs. A deeper prefix can also be a layer ' +
        'of a run; its files count for the layer that contains it. A key without `config:raw` ' +
        'sees only layers with files of agents, skills, servers, or schedules. A page may ' +
        'contain fewer layers than `limit` although more follow.',
      scope: 'layers:read',
      query: z.strictObject(pageQuery),
      answers: { 200: { description: 'The layers, ordered by prefix', schema: list(Layer) } },
    },
    async ({ c, world, tenant, query }) => {
      const hasRawAccess = allows(c.get('principal'), 'config:raw')
      const name = `layers ${tenant} ${hasRawAccess}`
      const section = (last: string | undefined) =>
        layersAfter({ world, tenant }, last, hasRawAccess)
      return c.json(await searched(world, name, query, section))
    },
  )
}
