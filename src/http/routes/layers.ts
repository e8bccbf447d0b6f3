/** Lists the tenant's layers, and imports stored files into a layer. */

import * as z from 'zod'
import { layersAfter } from '../../engine/layers/list-layers.ts'
import { perform } from '../../engine/manage/index.ts'
import { searched } from '../request/page.ts'
import { granted } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { allows, route } from '../request/route.ts'
import { managerOf } from '../resources/manage.ts'
import { Import, ImportInput } from '../schemas/layers/import.ts'
import { Layer } from '../schemas/layers/layer-list.ts'
import { list, pageQuery } from '../schemas/shared/common.ts'

export function layerRoutes(api: Api): void {
  importRoute(api)
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
        'that contains files, except `imports/`, memory, and workspaces of runs. A deeper prefix can also be a layer ' +
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

function importRoute(api: Api): void {
  route(
    api,
    {
      id: 'importLayer',
      method: 'post',
      path: '/v1/layers/import',
      tag: 'Layers',
      summary: 'Import files into a layer',
      description:
        'Checks the files below a folder in `imports/`, where no run reads them, and plans their ' +
        'places in the layer. Performs a dry run unless `dry_run` is false. Ignored files, ' +
        'likely secrets, tests, and files that do not load are left out. Each file is written ' +
        'only if its target has not changed since the plan; a file that is written before ' +
        'another one fails stays written, and an import without `plan` or with a new plan ' +
        'continues. The files in `imports/` are not deleted.',
      scope: 'config:raw',
      body: ImportInput,
      refusals: [412],
      answers: { 200: { description: 'Import steps, performed or planned', schema: Import } },
    },
    async (call) => {
      const { layer, ...input } = call.body
      // Raw access includes every layer, as for `PUT /v1/files/{path}`.
      const manager = { ...managerOf(call), writable: undefined }
      const where = { role: 'main', layer }
      return call.c.json(granted(await perform(manager, 'layers_import', where, input)))
    },
  )
}
