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
import { all, etagged, granted, layerOf, managed, managerOf } from '../manage.ts'
import type { Api } from '../route.ts'
import { route } from '../route.ts'
import { list } from '../schemas/common.ts'
import { AgentInput, AgentPatch, agentEdit, getQuery, layerQuery } from '../schemas/manage.ts'
import { Deleted, LayerAgent, WrittenAgent } from '../schemas/manage-shown.ts'
import { versionRoutes } from './versions.ts'

const ONE = '/v1/agents/{name}'
const { shared, reads, writes } = managed(
  'The agent, by its id: the `name` of its file, in kebab-case',
)
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
      description:
        'Those that lie in this one layer, whether they load or not; `POST /v1/resolve` says ' +
        'what a run would have.',
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
      description:
        'As it lies in this one layer, with what would be found wrong with it. The etag is for ' +
        '`If-Match`.',
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
      description:
        'Creates or replaces the file. `If-Match` replaces only what was read. The version ' +
        'before can be restored.',
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
      description:
        'Changes these fields where they stand and keeps every comment; what is not named ' +
        'stays as it is, null removes a field.',
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
      description:
        'Removes its file from this one layer. A rollback to one of its versions brings it ' +
        'back.',
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
