/** Skills of one layer, by REST. */

import { LIMITS } from '../../core/limits.ts'
import {
  deleteSkill,
  getSkill,
  listSkills,
  putSkill,
  rollbackSkill,
  setSkillEnabled,
  thingOf,
  type WrittenSkill as Written,
} from '../../engine/manage/skills.ts'
import { all, etagged, granted, layerOf, managed, managerOf } from '../manage.ts'
import type { Api } from '../route.ts'
import { route } from '../route.ts'
import { list } from '../schemas/common.ts'
import { getQuery, listQuery, SkillInput, SwitchInput } from '../schemas/manage.ts'
import { Deleted, LayerSkill, WrittenSkill } from '../schemas/manage-shown.ts'
import { versionRoutes } from './versions.ts'

const ONE = '/v1/skills/{name}'
const { shared, reads, writes } = managed('The skill, by the name of its directory')
const changed = { 200: { description: 'Changed', schema: WrittenSkill } } as const
const etagOf = ({ skill }: Written) => etagged(skill.etag)

export function skillRoutes(api: Api): void {
  readRoutes(api)
  writeRoutes(api)
  versionRoutes(api, {
    path: ONE,
    what: 'a skill',
    noun: 'Skill',
    name: shared.params.name,
    written: WrittenSkill,
    thingOf,
    rollback: rollbackSkill,
    etagOf,
  })
}

function readRoutes(api: Api): void {
  route(
    api,
    {
      id: 'listSkills',
      ...reads,
      method: 'get',
      path: '/v1/skills',
      summary: 'List the skills of a layer',
      description:
        'Those that lie in this one layer, disabled ones too unless they are left out; `POST ' +
        '/v1/resolve` says what a run would have.',
      query: listQuery,
      answers: { 200: { description: 'By name', schema: list(LayerSkill) } },
    },
    async (call) => {
      const manager = managerOf(call)
      const place = await layerOf(manager, call.query.layer)
      const given = { role: 'main', ...call.query }
      return call.c.json(all(granted(await listSkills(manager, place, given)).skills))
    },
  )
  route(
    api,
    {
      id: 'getSkill',
      ...reads,
      method: 'get',
      path: ONE,
      summary: 'Read a skill',
      description:
        'As it lies in this one layer, with its files, and what would be found wrong with it. ' +
        'The etag is for `If-Match`.',
      query: getQuery,
      answers: { 200: { description: 'The skill and its text', schema: LayerSkill } },
    },
    async (call) => {
      const manager = managerOf(call)
      const place = await layerOf(manager, call.query.layer)
      const given = { role: 'main', skill_name: call.c.req.param('name') ?? '', ...call.query }
      const { skill } = granted(await getSkill(manager, place, given))
      return call.c.json(skill, 200, etagged(skill.etag))
    },
  )
}

function writeRoutes(api: Api): void {
  route(
    api,
    {
      id: 'putSkill',
      ...writes,
      method: 'put',
      path: ONE,
      summary: "Write a skill's SKILL.md",
      description:
        'Creates or replaces the file; other files of the skill stay. `If-Match` replaces only ' +
        'what was read. The version before can be restored.',
      body: SkillInput,
      bodyLimit: LIMITS.file_body_bytes,
      answers: { ...changed, 201: { description: 'Created', schema: WrittenSkill } },
    },
    async (call) => {
      const manager = managerOf(call, call.query.strict)
      const place = await layerOf(manager, call.query.layer)
      const given = { role: 'main', skill_name: call.c.req.param('name') ?? '', ...call.body }
      const written = granted(await putSkill(manager, place, given))
      return call.c.json(written, written.created ? 201 : 200, etagOf(written))
    },
  )
  route(
    api,
    {
      id: 'setSkillEnabled',
      ...writes,
      method: 'patch',
      path: ONE,
      summary: 'Switch a skill on or off',
      description: 'A skill that is off stays where it is, and no run is offered it.',
      body: SwitchInput,
      answers: changed,
    },
    async (call) => {
      const manager = managerOf(call)
      const place = await layerOf(manager, call.query.layer)
      const given = { role: 'main', skill_name: call.c.req.param('name') ?? '', ...call.body }
      const written = granted(await setSkillEnabled(manager, place, given))
      return call.c.json(written, 200, etagOf(written))
    },
  )
  route(
    api,
    {
      id: 'deleteSkill',
      ...writes,
      method: 'delete',
      path: ONE,
      summary: 'Delete a skill with all its files',
      description:
        'Removes its directory from this one layer. A rollback to one of its versions brings ' +
        'it back.',
      answers: { 200: { description: 'It is gone; a version keeps it', schema: Deleted } },
    },
    async (call) => {
      const manager = managerOf(call)
      const place = await layerOf(manager, call.query.layer)
      const given = { role: 'main', skill_name: call.c.req.param('name') ?? '' }
      return call.c.json(granted(await deleteSkill(manager, place, given)))
    },
  )
}
