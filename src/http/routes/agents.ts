/** Agents of one layer, by REST. */

import { LIMITS } from '../../core/limits.ts'
import {
  deleteAgent,
  getAgent,
  listAgents,
  patchAgent,
  putAgent,
  rollbackAgent,
  thingOf,
  type WrittenAgent as Written,
} from '../../engine/manage/agents.ts'
import { conditions } from '../conditions.ts'
import { all, etagged, granted, layerOf, managerOf } from '../manage.ts'
import type { Api } from '../route.ts'
import { route } from '../route.ts'
import { list } from '../schemas/common.ts'
import {
  AgentInput,
  AgentPatch,
  agentEdit,
  Deleted,
  getQuery,
  LayerAgent,
  layerQuery,
  WrittenAgent,
  writeQuery,
} from '../schemas/manage.ts'
import { versionRoutes } from './versions.ts'

const ONE = '/v1/agents/{name}'
const shared = { tag: 'Management', params: { name: 'The id of the agent' } } as const
const reads = { ...shared, scope: 'layers:read', refusals: [422] } as const
const writes = {
  ...shared,
  scope: 'layers:write',
  headers: conditions,
  query: writeQuery,
  refusals: [422],
} as const
const changed = { 200: { description: 'Changed', schema: WrittenAgent } } as const
const etagOf = ({ agent }: Written) => etagged(agent.etag)

export function agentRoutes(api: Api): void {
  readRoutes(api)
  writeRoutes(api)
  versionRoutes(api, {
    path: ONE,
    what: 'an agent',
    noun: 'Agent',
    name: shared.params.name,
    written: WrittenAgent,
    thingOf,
    rollback: rollbackAgent,
    etagOf,
  })
}

function readRoutes(api: Api): void {
  route(
    api,
    {
      id: 'listAgents',
      ...reads,
      method: 'get',
      path: '/v1/agents',
      summary: 'List the agents of a layer',
      query: layerQuery,
      answers: { 200: { description: 'By name', schema: list(LayerAgent) } },
    },
    async (call) => {
      const manager = managerOf(call)
      const place = await layerOf(manager, call.query.layer)
      return call.c.json(all(granted(await listAgents(manager, place)).agents))
    },
  )
  route(
    api,
    {
      id: 'getAgent',
      ...reads,
      method: 'get',
      path: ONE,
      summary: 'Read an agent',
      query: getQuery,
      answers: { 200: { description: 'The agent and its file', schema: LayerAgent } },
    },
    async (call) => {
      const manager = managerOf(call)
      const place = await layerOf(manager, call.query.layer)
      const given = { role: 'main', agent_name: call.c.req.param('name') ?? '', ...call.query }
      const { agent } = granted(await getAgent(manager, place, given))
      return call.c.json(agent, 200, etagged(agent.etag))
    },
  )
}

function writeRoutes(api: Api): void {
  route(
    api,
    {
      id: 'putAgent',
      ...writes,
      method: 'put',
      path: ONE,
      summary: "Write an agent's file",
      body: AgentInput,
      bodyLimit: LIMITS.file_body_bytes,
      answers: { ...changed, 201: { description: 'Created', schema: WrittenAgent } },
    },
    async (call) => {
      const manager = managerOf(call, call.query.strict)
      const place = await layerOf(manager, call.query.layer)
      const given = { role: 'main', agent_name: call.c.req.param('name') ?? '', ...call.body }
      const written = granted(await putAgent(manager, place, given))
      return call.c.json(written, written.created ? 201 : 200, etagOf(written))
    },
  )
  route(
    api,
    {
      id: 'updateAgent',
      ...writes,
      method: 'patch',
      path: ONE,
      summary: "Change some fields of an agent's file",
      body: AgentPatch,
      bodyLimit: LIMITS.file_body_bytes,
      answers: changed,
    },
    async (call) => {
      const manager = managerOf(call, call.query.strict)
      const place = await layerOf(manager, call.query.layer)
      const name = call.c.req.param('name') ?? ''
      const written = granted(await patchAgent(manager, place, name, agentEdit(call.body)))
      return call.c.json(written, 200, etagOf(written))
    },
  )
  route(
    api,
    {
      id: 'deleteAgent',
      ...writes,
      method: 'delete',
      path: ONE,
      summary: 'Delete an agent',
      answers: { 200: { description: 'It is gone; a version keeps it', schema: Deleted } },
    },
    async (call) => {
      const manager = managerOf(call)
      const place = await layerOf(manager, call.query.layer)
      const given = { role: 'main', agent_name: call.c.req.param('name') ?? '' }
      return call.c.json(granted(await deleteAgent(manager, place, given)))
    },
  )
}
