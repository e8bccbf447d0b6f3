/** Serves the MCP servers of one layer over REST. */

import { type Api, route } from '../request/route.ts'
import { performed } from '../resources/manage.ts'
import { operation, type Resource, resource, WHOLE_FILE } from '../resources/resource.ts'
import { layerQuery, listQuery, ServerInput, ServerPatch } from '../schemas/layers/manage.ts'
import { LayerServer, Probed, WrittenServer } from '../schemas/layers/manage-responses.ts'

const SERVERS: Resource = {
  path: '/v1/mcp-servers',
  noun: 'McpServer',
  what: 'an MCP server',
  many: 'MCP servers',
  one: 'The server',
  name: 'Name of the server in the configuration, case-insensitive',
  nameIn: 'name',
  kind: 'server',
  shown: LayerServer,
  written: WrittenServer,
  list: operation('mcp_list', listQuery, {
    description:
      'MCP servers defined in this layer only, with secret values hidden. `POST ' +
      '/v1/resolve` returns the servers that a run would have.',
  }),
  get: operation('mcp_get_server', layerQuery, {
    description:
      'Returns the definition in this layer only, with secret values hidden. Use the ETag ' +
      'for `If-Match`.',
  }),
  put: operation('mcp_put_server', ServerInput, {
    ...WHOLE_FILE,
    description:
      "Creates or replaces the server's table in the layer's configuration file. The file's " +
      'other content is unchanged, including comments.',
  }),
  patch: operation(
    'mcp_patch_server',
    ServerPatch,
    {
      summary: 'Update fields of an MCP server',
      description:
        'Changes the given fields in place and preserves all comments. Other fields are ' +
        'unchanged; null removes a field.',
    },
    (patch) => ({ patch }),
  ),
  remove: {
    operation: 'mcp_delete_server',
    description:
      "Removes the server's table from the layer's configuration file. To restore the " +
      'server, roll back to one of its versions.',
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
      summary: 'Test an MCP server',
      description:
        'Connects to the server and lists its tools, whether or not the server is enabled. ' +
        'Changes nothing.',
      query: layerQuery,
      refusals: [422, 429],
      answers: { 200: { description: 'Connection test result', schema: Probed } },
    },
    async (call) => call.c.json(await performed(call, SERVERS, 'mcp_test_server', {})),
  )
}
