/** Serves the list of models that runs may name. */

import { listedModel, listedModels } from '../protocols/openai/models.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { Model, Models } from '../schemas/shared/models.ts'

export function modelRoutes(api: Api): void {
  route(
    api,
    {
      id: 'listModels',
      method: 'get',
      path: '/v1/models',
      tag: 'System',
      summary: 'List models and aliases',
      description:
        "Returns all models known to this deployment, with their properties, and the tenant's " +
        "and the deployment's aliases. No provider is contacted. Agents in the base layer are " +
        'included as `agent/<name>`, for clients that select by model (`POST /v1/responses`). ' +
        'In a run, use the member `agent` instead.',
      scope: 'layers:read',
      answers: { 200: { description: 'The models and aliases', schema: Models } },
    },
    async ({ c, world, tenant }) => c.json(await listedModels(world, tenant)),
  )
  route(
    api,
    {
      id: 'getModel',
      method: 'get',
      path: '/v1/models/{model+}',
      params: { model: 'ID of the model, or name of an alias' },
      tag: 'System',
      summary: 'Get a model',
      description:
        'Returns the model as in the list. An alias is returned under its name, with the ' +
        'properties of its first model. Slashes in the ID can be percent-encoded.',
      scope: 'layers:read',
      answers: { 200: { description: 'The requested data', schema: Model } },
    },
    async ({ c, world, tenant }) =>
      c.json(await listedModel(world, tenant, c.req.param('model') ?? '')),
  )
}
