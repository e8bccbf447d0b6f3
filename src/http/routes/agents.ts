/** Agents of one layer, by REST. */

import type { Api } from '../request/route.ts'
import { operation, resource, WHOLE_FILE } from '../resources/resource.ts'
import {
  AgentInput,
  AgentPatch,
  agentEdit,
  getQuery,
  layerQuery,
} from '../schemas/layers/manage.ts'
import { LayerAgent, WrittenAgent } from '../schemas/layers/manage-responses.ts'

export const agentRoutes = (api: Api): void =>
  resource(api, {
    path: '/v1/agents',
    noun: 'Agent',
    what: 'an agent',
    many: 'agents',
    one: 'The agent and its file',
    name: 'ID of the agent: the `name` of its file, in kebab-case',
    nameIn: 'agent_name',
    kind: 'agent',
    shown: LayerAgent,
    written: WrittenAgent,
    list: operation('agents_list', layerQuery, {
      description:
        'Agents in this layer alone, whether they load or not. `POST /v1/resolve` shows what ' +
        'a run would have.',
    }),
    get: operation('agents_get', getQuery, {
      description: 'The file in this layer, with its findings. Use the ETag for `If-Match`.',
    }),
    put: operation('agents_put', AgentInput, {
      ...WHOLE_FILE,
      summary: 'Write the file of an agent',
      description:
        'Creates or replaces the file. With `If-Match` it replaces only the version that was ' +
        'read. The previous version can be restored.',
    }),
    patch: operation(
      'agents_patch',
      AgentPatch,
      {
        ...WHOLE_FILE,
        summary: "Update fields of an agent's file",
        description:
          'Changes the given fields in place and keeps all comments. Other fields are ' +
          'unchanged; null removes a field.',
      },
      agentEdit,
    ),
    remove: {
      operation: 'agents_delete',
      description:
        'Removes the file from this layer. Rolling back to one of its versions restores it.',
    },
    rollback: 'agents_rollback',
  })
