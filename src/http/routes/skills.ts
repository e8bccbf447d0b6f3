/** Serves the skills of one layer over REST. */

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
    one: "The skill's definition and text",
    name: 'Name of the skill, equal to the name of its folder',
    nameIn: 'skill_name',
    kind: 'skill',
    shown: LayerSkill,
    written: WrittenSkill,
    list: operation('skills_list', listQuery, {
      description:
        'Skills defined in this layer only; `POST /v1/resolve` returns the skills that a run ' +
        'would have. Disabled skills are included unless filtered out.',
    }),
    get: operation('skills_get', getQuery, {
      description:
        'Returns the skill in this layer, its files, and its findings. Use the ETag for ' +
        '`If-Match`.',
    }),
    put: operation('skills_put', SkillInput, {
      ...WHOLE_FILE,
      summary: "Write a skill's SKILL.md",
      description:
        "Creates or replaces the file; the skill's other files are unchanged. With " +
        '`If-Match`, the file is replaced only if the ETag matches. The previous version can ' +
        'be restored.',
    }),
    patch: operation('skills_set_enabled', SwitchInput, {
      id: 'setSkillEnabled',
      query: layerQuery,
      summary: 'Enable or disable a skill',
      description: 'A disabled skill remains in the layer but is not available to runs.',
    }),
    remove: {
      operation: 'skills_delete',
      summary: 'Delete a skill and all its files',
      description:
        "Removes the skill's folder from this layer. To restore the skill, roll back to one " +
        'of its versions.',
    },
    rollback: 'skills_rollback',
  })
