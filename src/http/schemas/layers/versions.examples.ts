/**
 * Examples of versions and audit entries: a changed refund policy, and other changes on the same
 * morning.
 */

import { rowDigest } from '../../../core/audit-chain.ts'
import { derivedId } from '../../../lib/id.ts'
import {
  APPROVAL,
  at,
  digestOf,
  KEY,
  OLDER_VERSION,
  REQUEST,
  RUN,
  VERSION,
} from '../shared/story.ts'

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
const ENTRY = derivedId('ver', 'policy')
/** The request came from the address range for documentation. */
const ORIGIN = {
  address: '203.0.113.7',
  via: 'api',
  request_id: REQUEST,
  credential: { type: 'key', id: KEY },
} as const

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
    ...ORIGIN,
  },
  {
    version: ENTRY,
    number: 4,
    kind: 'policy',
    layer: '',
    name: 'policy',
    action: 'put',
    by: KEY,
    created_at: at('08:41:07.300'),
    detail: 'changed: strict',
    files: [],
    ...ORIGIN,
    before: digestOf('lax'),
    after: digestOf('strict'),
    changes: [{ field: 'strict', before: 'false', after: 'true' }],
  },
  version,
]
export const AUDIT_WITH_POSITION = [{ ...AUDIT[1], seq: 2, hash: digestOf('link 2') }]
export const AUDIT_LINES = [
  {
    object: 'audit_chain',
    anchor: { seq: 0, hash: '0'.repeat(64) },
    exported_at: at('10:00:00.000'),
  },
  { object: 'audit_link', seq: 1, hash: digestOf('link 1'), entry: version },
  { object: 'audit_row', ...rowDigest(version) },
  { object: 'audit_head', seq: 1, hash: digestOf('link 1'), links: 1, rows: 1 },
]
