/** The refund policy was changed, and who did what that morning. */

import { FIRST_PLACE, linkAfter, rowDigest } from '../../core/audit-chain.ts'
import { APPROVAL, at, digestOf, KEY, OLDER_VERSION, REQUEST, RUN, VERSION } from './story.ts'

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
const decided = {
  version: OLDER_VERSION,
  number: 0,
  kind: 'approval',
  name: APPROVAL,
  action: 'approve',
  by: KEY,
  detail: `mcp__helpdesk__refund of ${RUN}`,
  before: 'pending',
  after: 'approve',
  request_id: REQUEST,
  address: '198.51.100.7',
  layer: '',
  created_at: at('09:14:40.512'),
  files: [],
} as const
const written = {
  ...version,
  before: digestOf(OLD_SKILL_MD),
  after: digestOf(SKILL_MD),
  request_id: REQUEST,
  address: '198.51.100.7',
} as const
const first = linkAfter(FIRST_PLACE, written)
const second = linkAfter(first, decided)
export const AUDIT = [second, first].map(({ seq, hash, entry }) => ({ ...entry, seq, hash }))
export const EXPORTED = [
  { object: 'audit_chain', anchor: FIRST_PLACE, exported_at: at('10:00:00.000') },
  { object: 'audit_link', ...first },
  { object: 'audit_row', ...rowDigest(first.entry) },
  { object: 'audit_head', seq: second.seq, hash: second.hash, links: 2, rows: 2 },
]
