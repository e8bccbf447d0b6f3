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
import { LayerAgent, WrittenAgent } from '../schemas/layers/manage-shown.ts'

export const agentRoutes = (api: Api): void =>
  resource(api, {
    path: '/v1/agents',
    noun: 'Agent',
    what: 'an agent',
    many: 'agents',
    one: 'The agent and its file',
    name: 'The agent, by its id: the `name` of its file, in kebab-case',
    nameIn: 'agent_name',
    kind: 'agent',
    shown: LayerAgent,
    written: WrittenAgent,
    list: operation('agents_list', layerQuery, {
      description:
        'Those that lie in this one layer, whether they load or not; `POST /v1/resolve` says ' +
        'what a run would have.',
    }),
    get: operation('agents_get', getQuery, {
      description:
        'As it lies in this one layer, with what would be found wrong with it. The etag is for ' +
        '`If-Match`.',
    }),
    put: operation('agents_put', AgentInput, {
      ...WHOLE_FILE,
      summary: "Write an agent's file",
      description:
        'Creates or replaces the file. `If-Match` replaces only what was read. The version ' +
        'before can be restored.',
    }),
    patch: operation(
      'agents_patch',
      AgentPatch,
      {
        ...WHOLE_FILE,
        summary: "Change some fields of an agent's file",
        description:
          'Changes these fields where they stand and keeps every comment; what is not named ' +
          'stays as it is, null removes a field.',
      },
      agentEdit,
    ),
    remove: {
      operation: 'agents_delete',
      description:
        'Removes its file from this one layer. A rollback to one of its versions brings it ' +
        'back.',
    },
    rollback: 'agents_rollback',
  })
