/**
 * Examples of versions and audit entries: a changed refund policy, and other changes on the same
 * morning.
 */

import { APPROVAL, at, digestOf, KEY, OLDER_VERSION, RUN, VERSION } from '../shared/story.ts'

const PATH = '.agents/skills/refund-policy/SKILL.md'
export const SKILL_MD =
  '---\nname: refund-policy\ndescription: When and how much the shop refunds.\n---\n' +
  'Within 14 days of delivery: the whole price.\n'
const OLD_SKILL_MD = SKILL_MD.replace('14', '30')

const version = {
  version: VERSION,
  number: 2,
  kind: 'skill',
  layer: 'roles/support/',
  name: 'refund-policy',
  action: 'put',
  by: KEY,
  created_at: at('08:30:00.000'),
  files: [{ path: PATH, digest: digestOf(SKILL_MD) }],
} as const

export const VERSIONS = [version]
export const VERSIONS_WITH_FILES = [
  {
    ...version,
    contents: [{ path: PATH, digest: digestOf(SKILL_MD), size: SKILL_MD.length, text: SKILL_MD }],
  },
]
export const COMPARED = [
  {
    version: OLDER_VERSION,
    with: 'current',
    files: [{ path: PATH, change: 'differs', text: OLD_SKILL_MD, other_text: SKILL_MD }],
  },
]
export const AUDIT = [
  {
    version: OLDER_VERSION,
    number: 0,
    kind: 'approval',
    layer: '',
    name: APPROVAL,
    action: 'approve',
    by: KEY,
    created_at: at('09:14:40.512'),
    detail: `mcp__helpdesk__refund of ${RUN}`,
    files: [],
  },
  version,
]
