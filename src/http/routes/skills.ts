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
import { LayerSkill, WrittenSkill } from '../schemas/layers/manage-shown.ts'

export const skillRoutes = (api: Api): void =>
  resource(api, {
    path: '/v1/skills',
    noun: 'Skill',
    what: 'a skill',
    many: 'skills',
    one: 'The skill and its text',
    name: 'The skill, by the name of its directory',
    nameIn: 'skill_name',
    kind: 'skill',
    shown: LayerSkill,
    written: WrittenSkill,
    list: operation('skills_list', listQuery, {
      description:
        'Those that lie in this one layer, disabled ones too unless they are left out; `POST ' +
        '/v1/resolve` says what a run would have.',
    }),
    get: operation('skills_get', getQuery, {
      description:
        'As it lies in this one layer, with its files, and what would be found wrong with it. ' +
        'The etag is for `If-Match`.',
    }),
    put: operation('skills_put', SkillInput, {
      ...WHOLE_FILE,
      summary: "Write a skill's SKILL.md",
      description:
        'Creates or replaces the file; other files of the skill stay. `If-Match` replaces only ' +
        'what was read. The version before can be restored.',
    }),
    patch: operation('skills_set_enabled', SwitchInput, {
      id: 'setSkillEnabled',
      query: layerQuery,
      summary: 'Switch a skill on or off',
      description: 'A skill that is off stays where it is, and no run is offered it.',
    }),
    remove: {
      operation: 'skills_delete',
      summary: 'Delete a skill with all its files',
      description:
        'Removes its directory from this one layer. A rollback to one of its versions brings ' +
        'it back.',
    },
    rollback: 'skills_rollback',
  })
