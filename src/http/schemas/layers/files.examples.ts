/** Examples of layer files in the sample scenario. */

import { at, digestOf, etagOf, KEY, VERSION } from '../shared/story.ts'

const writtenFile = { path: 'base/.agents/skills/refund-policy/SKILL.md', etag: etagOf('SKILL.md') }

export const FILES = [{ ...writtenFile, size: 118 }]
export const WRITTEN_FILES = [writtenFile]

const CONFIG = '[mcp_servers.helpdesk]\nurl = "https://helpdesk.shop.example/mcp"\n'
const version = {
  version: VERSION,
  path: 'base/.agents/config.toml',
  action: 'put',
  by: KEY,
  created_at: at('08:30:00.000'),
  digest: digestOf(CONFIG),
} as const
export const FILE_VERSIONS = [version]
export const FILE_TEXTS = [{ ...version, size: CONFIG.length, text: CONFIG }]
