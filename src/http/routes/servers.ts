/** MCP servers of one layer, by REST. */

import { LIMITS } from '../../core/limits.ts'
import { probeServer } from '../../engine/manage/probe.ts'
import {
  deleteServer,
  getServer,
  listServers,
  patchServer,
  putServer,
  rollbackServer,
  thingOf,
  type WrittenServer as Written,
} from '../../engine/manage/servers.ts'
import { all, etagged, granted, layerOf, managed, managerOf } from '../manage.ts'
import type { Api } from '../route.ts'
import { route } from '../route.ts'
import { list } from '../schemas/common.ts'
import { layerQuery, listQuery, ServerInput, ServerPatch } from '../schemas/manage.ts'
import { Deleted, LayerServer, Probed, WrittenServer } from '../schemas/manage-shown.ts'
import { versionRoutes } from './versions.ts'

const ONE = '/v1/mcp-servers/{name}'
const { shared, reads, writes } = managed(
  'The server, by its name in the configuration; case does not matter',
)
const changed = { 200: { description: 'Changed', schema: WrittenServer } } as const
const etagOf = ({ server }: Written) => etagged(server.etag)

export function serverRoutes(api: Api): void {
  readRoutes(api)
  writeRoutes(api)
  versionRoutes(api, {
    path: ONE,
    what: 'an MCP server',
    noun: 'McpServer',
    name: shared.params.name,
    written: WrittenServer,
    thingOf,
    rollback: rollbackServer,
    etagOf,
  })
  probeRoute(api)
}

function readRoutes(api: Api): void {
  route(
    api,
    {
      id: 'listMcpServers',
      ...reads,
      method: 'get',
      path: '/v1/mcp-servers',
      summary: 'List the MCP servers of a layer',
      description:
        'Those that are defined in this one layer; values of secrets are hidden. `POST ' +
        '/v1/resolve` says what a run would have.',
      query: listQuery,
      answers: { 200: { description: 'By name', schema: list(LayerServer) } },
    },
    async (call) => {
      const manager = managerOf(call)
      const place = await layerOf(manager, call.query.layer)
      const given = { role: 'main', ...call.query }
      return call.c.json(all(granted(await listServers(manager, place, given)).servers))
    },
  )
  route(
    api,
    {
      id: 'getMcpServer',
      ...reads,
      method: 'get',
      path: ONE,
      summary: 'Read an MCP server',
      description:
        'As it is defined in this one layer; values of secrets are hidden. The etag is for ' +
        '`If-Match`.',
      query: layerQuery,
      answers: { 200: { description: 'The server', schema: LayerServer } },
    },
    async (call) => {
      const manager = managerOf(call)
      const place = await layerOf(manager, call.query.layer)
      const name = call.c.req.param('name') ?? ''
      const { server } = granted(await getServer(manager, place, name))
      return call.c.json(server, 200, etagged(server.etag))
    },
  )
}

function writeRoutes(api: Api): void {
  route(
    api,
    {
      id: 'putMcpServer',
      ...writes,
      method: 'put',
      path: ONE,
      summary: 'Write an MCP server',
      description:
        "Creates or replaces its table in the layer's configuration file; all else in the file " +
        'stays as it is, comments too.',
      body: ServerInput,
      bodyLimit: LIMITS.file_body_bytes,
      answers: { ...changed, 201: { description: 'Created', schema: WrittenServer } },
    },
    async (call) => {
      const manager = managerOf(call, call.query.strict)
      const place = await layerOf(manager, call.query.layer)
      const given = { role: 'main', name: call.c.req.param('name') ?? '', ...call.body }
      const written = granted(await putServer(manager, place, given))
      return call.c.json(written, written.created ? 201 : 200, etagOf(written))
    },
  )
  route(
    api,
    {
      id: 'updateMcpServer',
      ...writes,
      method: 'patch',
      path: ONE,
      summary: 'Change some fields of an MCP server',
      description:
        'Changes these fields where they stand and keeps every comment; what is not named ' +
        'stays as it is, null removes.',
      body: ServerPatch,
      answers: changed,
    },
    async (call) => {
      const manager = managerOf(call, call.query.strict)
      const place = await layerOf(manager, call.query.layer)
      const name = call.c.req.param('name') ?? ''
      const written = granted(await patchServer(manager, place, name, call.body))
      return call.c.json(written, 200, etagOf(written))
    },
  )
  route(
    api,
    {
      id: 'deleteMcpServer',
      ...writes,
      method: 'delete',
      path: ONE,
      summary: 'Delete an MCP server',
      description:
        "Removes its table from the layer's configuration file. A rollback to one of its " +
        'versions brings it back.',
      answers: { 200: { description: 'It is gone; a version keeps it', schema: Deleted } },
    },
    async (call) => {
      const manager = managerOf(call)
      const place = await layerOf(manager, call.query.layer)
      const given = { role: 'main', name: call.c.req.param('name') ?? '' }
      return call.c.json(granted(await deleteServer(manager, place, given)))
    },
  )
}

function probeRoute(api: Api): void {
  route(
    api,
    {
      id: 'testMcpServer',
      ...shared,
      scope: 'layers:write',
      method: 'post',
      path: `${ONE}/test`,
      summary: 'Try an MCP server',
      description: 'Connects anew and lists its tools, enabled or not, without changing anything.',
      query: layerQuery,
      refusals: [422],
      answers: { 200: { description: 'The outcome of the connection test', schema: Probed } },
    },
    async (call) => {
      const manager = managerOf(call)
      const place = await layerOf(manager, call.query.layer)
      return call.c.json(granted(await probeServer(manager, place, call.c.req.param('name') ?? '')))
    },
  )
}
