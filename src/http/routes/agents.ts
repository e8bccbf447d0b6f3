/** Serves the agents of one layer over REST. */

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
    one: "The agent's definition and file",
    name: "ID of the agent, equal to the `name` in the agent's file, in kebab-case",
    nameIn: 'agent_name',
    kind: 'agent',
    shown: LayerAgent,
    written: WrittenAgent,
    list: operation('agents_list', layerQuery, {
      description:
        'Agents defined in this layer only, including agents that do not load. `POST ' +
        '/v1/resolve` returns the agents that a run would have.',
    }),
    get: operation('agents_get', getQuery, {
      description:
        'Returns the file in this layer and the findings about it. Use the ETag for ' +
        '`If-Match`.',
    }),
    put: operation('agents_put', AgentInput, {
      ...WHOLE_FILE,
      summary: "Write an agent's file",
      description:
        'Creates or replaces the file. With `If-Match`, the file is replaced only if the ETag ' +
        'matches. The previous version can be restored.',
    }),
    patch: operation(
      'agents_patch',
      AgentPatch,
      {
        ...WHOLE_FILE,
        summary: "Update fields of an agent's file",
        description:
          'Changes the given fields in place and preserves all comments. Other fields are ' +
          'unchanged; null removes a field.',
      },
      agentEdit,
    ),
    remove: {
      operation: 'agents_delete',
      description:
        'Removes the file from this layer. To restore the file, roll back to one of its ' +
        'versions.',
    },
    rollback: 'agents_rollback',
  })
