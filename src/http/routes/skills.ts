/** Skills of one layer, by REST. */

import type { Api } from '../request/route.ts'
import { operation, resource, WHOLE_FILE } from '../resources/resource.ts'
import {
  getQuery,
  layerQuery,
  listQuery,
  SkillInput,
  SwitchInput,
} from '../schemas/layers/manage.ts'
import { LayerSkill, WrittenSkill } from '../schemas/layers/manage-responses.ts'

export const skillRoutes = (api: Api): void =>
  resource(api, {
    path: '/v1/skills',
    noun: 'Skill',
    what: 'a skill',
    many: 'skills',
    one: 'The skill and its text',
    name: 'Name of the skill: that of its folder',
    nameIn: 'skill_name',
    kind: 'skill',
    shown: LayerSkill,
    written: WrittenSkill,
    list: operation('skills_list', listQuery, {
      description:
        'Skills in this layer alone; `POST /v1/resolve` shows what a run would have. Disabled ' +
        'skills are included unless they are filtered out.',
    }),
    get: operation('skills_get', getQuery, {
      description:
        'The skill in this layer, with its files and findings. Use the ETag for `If-Match`.',
    }),
    put: operation('skills_put', SkillInput, {
      ...WHOLE_FILE,
      summary: "Write a skill's SKILL.md",
      description:
        'Creates or replaces the file; other files of the skill are unchanged. With ' +
        '`If-Match` it replaces only the version that was read. The previous version can be ' +
        'restored.',
    }),
    patch: operation('skills_set_enabled', SwitchInput, {
      id: 'setSkillEnabled',
      query: layerQuery,
      summary: 'Enable or disable a skill',
      description: 'A disabled skill stays in its place, and no run is offered it.',
    }),
    remove: {
      operation: 'skills_delete',
      summary: 'Delete a skill with all its files',
      description:
        'Removes its folder from this layer. Rolling back to one of its versions restores it.',
    },
    rollback: 'skills_rollback',
  })
