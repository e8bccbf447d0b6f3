/** MCP servers of one layer, by REST. */

import { type Api, route } from '../request/route.ts'
import { performed } from '../resources/manage.ts'
import { operation, type Resource, resource, WHOLE_FILE } from '../resources/resource.ts'
import { layerQuery, listQuery, ServerInput, ServerPatch } from '../schemas/layers/manage.ts'
import { LayerServer, Probed, WrittenServer } from '../schemas/layers/manage-shown.ts'

const SERVERS: Resource = {
  path: '/v1/mcp-servers',
  noun: 'McpServer',
  what: 'an MCP server',
  many: 'MCP servers',
  one: 'The server',
  name: 'The server, by its name in the configuration; case does not matter',
  nameIn: 'name',
  kind: 'server',
  shown: LayerServer,
  written: WrittenServer,
  list: operation('mcp_list', listQuery, {
    description:
      'Those that are defined in this one layer; values of secrets are hidden. `POST ' +
      '/v1/resolve` says what a run would have.',
  }),
  get: operation('mcp_get_server', layerQuery, {
    description:
      'As it is defined in this one layer; values of secrets are hidden. The etag is for ' +
      '`If-Match`.',
  }),
  put: operation('mcp_put_server', ServerInput, {
    ...WHOLE_FILE,
    description:
      "Creates or replaces its table in the layer's configuration file; all else in the file " +
      'stays as it is, comments too.',
  }),
  patch: operation(
    'mcp_patch_server',
    ServerPatch,
    {
      summary: 'Change some fields of an MCP server',
      description:
        'Changes these fields where they stand and keeps every comment; what is not named ' +
        'stays as it is, null removes.',
    },
    (patch) => ({ patch }),
  ),
  remove: {
    operation: 'mcp_delete_server',
    description:
      "Removes its table from the layer's configuration file. A rollback to one of its " +
      'versions brings it back.',
  },
  rollback: 'mcp_rollback_server',
}

export function serverRoutes(api: Api): void {
  resource(api, SERVERS)
  route(
    api,
    {
      id: 'testMcpServer',
      tag: 'Management',
      params: { name: SERVERS.name },
      scope: 'layers:write',
      method: 'post',
      path: `${SERVERS.path}/{name}/test`,
      summary: 'Try an MCP server',
      description: 'Connects anew and lists its tools, enabled or not, without changing anything.',
      query: layerQuery,
      refusals: [422, 429],
      answers: { 200: { description: 'The outcome of the connection test', schema: Probed } },
    },
    async (call) => call.c.json(await performed(call, SERVERS, 'mcp_test_server', {})),
  )
}
