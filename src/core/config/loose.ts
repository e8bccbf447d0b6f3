/**
 * A library whose files lie anywhere: every SKILL.md is a skill, every other Markdown file whose
 * head has (or, broken, seems to have) a name and a description is an agent unless it lies inside a
 * skill, every config.toml is configuration, and the rest is ignored. One record per file.
 */

import { decode } from '../../lib/bytes.ts'
import { DEFAULT_POLICY } from '../policy.ts'
import { parseAgent } from './agent.ts'
import { error, note, statusOf } from './diagnostic.ts'
import { foldServers } from './fold-servers.ts'
import { frontMatter } from './frontmatter.ts'
import { parseConfig } from './mcp.ts'
import { parseSkill } from './skill.ts'
import type { Diagnostic, FileKind, FileRecord, FileStatus } from './types.ts'

const SKILL = /(?:^|\/)skill\.md$/i

/** `paths` in key order; `read` answers for each of them. */
export function looseRecords(
  paths: readonly string[],
  read: (path: string) => Uint8Array,
): FileRecord[] {
  const skills = new Set(paths.filter((path) => SKILL.test(path)).map(directoryOf))
  const seen = new Map<string, string>()
  return paths.map((path) => {
    if (SKILL.test(path)) return skillRecord(path, read(path))
    if (/(?:^|\/)config\.toml$/.test(path)) return configRecord(path, read(path))
    if (!/\.md$/i.test(path)) return ignored(path, null)
    if (insideOf(path, skills)) return ignored(path, 'lies inside a skill')
    const bytes = read(path)
    return looksLikeAgent(bytes) ? agentRecord(path, bytes, seen) : ignored(path, null)
  })
}

const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

function insideOf(path: string, skills: ReadonlySet<string>): boolean {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    if (skills.has(path.slice(0, at + 1))) return true
  }
  return false
}

function looksLikeAgent(bytes: Uint8Array): boolean {
  const text = decode(bytes)
  const matter = frontMatter(text)
  if (matter.kind === 'absent') return false
  if (matter.kind === 'parsed') return matter.head.has('name') && matter.head.has('description')
  const head = text.slice(0, 65_536)
  return /^name[ \t]*:/m.test(head) && /^description[ \t]*:/m.test(head)
}

function agentRecord(path: string, bytes: Uint8Array, seen: Map<string, string>): FileRecord {
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')
  const { agent, found } = parseAgent(bytes, stem)
  if (agent === null) return record(path, 'agent', null, 'rejected', found)
  const slot = `${directoryOf(path)}${agent.id.toLowerCase()}`
  const earlier = seen.get(slot)
  if (earlier === undefined) {
    seen.set(slot, path)
    return record(path, 'agent', agent.id, statusOf(found), found)
  }
  const twice = error('duplicate_id', `${path} has the same id as ${earlier}: ${agent.id}`)
  return record(path, 'agent', agent.id, 'rejected', [...found, twice])
}

function skillRecord(path: string, bytes: Uint8Array): FileRecord {
  const directory = directoryOf(path).slice(0, -1)
  const id = directory.slice(directory.lastIndexOf('/') + 1) || 'skill'
  const { found } = parseSkill(bytes, id)
  const variant = path.endsWith('SKILL.md')
    ? []
    : [note('file_name_variant', 'the file is called SKILL.md', { hint: 'SKILL.md' })]
  return record(path, 'skill', id, statusOf(found), [...found, ...variant])
}

function configRecord(path: string, bytes: Uint8Array): FileRecord {
  const parsed = parseConfig(bytes, path)
  const folded = foldServers({
    builtin: [],
    layers: [],
    run: { kind: 'base', layer: '', path, etag: '', parsed, legacy: false },
    secrets: new Set(),
    allowStdio: true,
    blocked: () => undefined,
    knowsModel: () => true,
    policy: DEFAULT_POLICY,
    diagnostics: [],
  })
  // One source makes one record.
  return folded.records[0]!
}

const ignored = (path: string, why: string | null): FileRecord =>
  record(path, 'other', null, 'ignored', why === null ? [] : [note('in_skill', why)])

const record = (
  path: string,
  kind: FileKind,
  id: string | null,
  status: FileStatus,
  diagnostics: readonly Diagnostic[],
): FileRecord => ({ layer: '', path, kind, id, status, diagnostics })
