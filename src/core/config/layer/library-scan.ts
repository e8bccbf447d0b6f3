/**
 * Scans a library in which files may be anywhere. Every SKILL.md outside other skills is a skill.
 * Other Markdown files outside skills are agents if their front matter has (or, if malformed, seems
 * to have) a name and a description. Every config.toml is configuration. All other files are
 * ignored with a reason.
 */

import { decode } from '../../../lib/bytes.ts'
import { nameKey } from '../../../lib/name.ts'
import { DEFAULT_POLICY } from '../../policy.ts'
import { parseAgent } from '../agent/agent.ts'
import { error, note, skillVariant, statusOf } from '../diagnostic.ts'
import { textOfFile } from '../encoding.ts'
import { parseConfig } from '../server/file.ts'
import { foldServers } from '../server/fold.ts'
import { parseSkill } from '../skill/skill.ts'
import type { Diagnostic, FileKind, FileRecord, FileStatus } from '../types.ts'
import { frontMatter } from '../yaml/frontmatter.ts'
import { instructionsUnread, isInstructions } from './instructions.ts'
import { dialectHint } from './layout.ts'

const SKILL = /(?:^|\/)skill\.md$/i

/** Creates the records of the files in `paths`, in key order; `read` returns a file's content. */
export function looseRecords(
  paths: readonly string[],
  read: (path: string) => Uint8Array,
): FileRecord[] {
  const skills = mainFiles(paths)
  const pathBySlot = new Map<string, string>()
  return paths.map((path) => {
    if (SKILL.test(path)) return skillRecord(path, read, skills, pathBySlot)
    if (/(?:^|\/)config\.toml$/.test(path)) return configRecord(path, read(path))
    if (insideOf(path, skills)) return ignored(path, note('in_skill', 'is inside a skill'))
    if (isInstructions(path)) return ignored(path, instructionsUnread())
    if (!/\.md$/i.test(path)) return ignored(path, notRead(path))
    const bytes = read(path)
    const fault = agentFault(path, bytes)
    return fault === undefined ? agentRecord(path, bytes, pathBySlot) : ignored(path, fault)
  })
}

/**
 * Maps each skill folder to its main file: `SKILL.md`, or the first name that differs only in case.
 */
function mainFiles(paths: readonly string[]): ReadonlyMap<string, string> {
  const mains = new Map<string, string>()
  for (const path of paths.filter((candidate) => SKILL.test(candidate))) {
    const directory = directoryOf(path)
    if (!mains.has(directory) || path.endsWith('SKILL.md')) mains.set(directory, path)
  }
  return mains
}

const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

/**
 * Whether a file is inside the folder of a skill. A `skills/SKILL.md` only describes its folder.
 */
function insideOf(path: string, skills: ReadonlyMap<string, string>): boolean {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const directory = path.slice(0, at + 1)
    if (skills.has(directory) && !/(?:^|\/)skills\/$/.test(directory)) return true
  }
  return false
}

/**
 * Explains why a Markdown file is not an agent; returns undefined for agents and for files that
 * seem to be malformed agents.
 */
function agentFault(path: string, bytes: Uint8Array): Diagnostic | undefined {
  const text = decodeGuessed(bytes)
  const matter = frontMatter(text)
  if (matter.kind === 'parsed') {
    const { head } = matter
    const atHome = /(?:^|\/)agents?\//.test(path)
    if (head.has('name') && (atHome || head.has('description'))) return undefined
    const lacks = ['name', 'description'].filter((key) => !head.has(key)).join(' and no ')
    // OpenCode names an agent after its file.
    const hint = atHome && head.has('description') ? `name: ${stemOf(path)}` : null
    return note('not_an_agent', `not an agent: the front matter has no ${lacks}`, { hint })
  }
  const start = text.slice(0, 65_536)
  const seems = /^name[ \t]*:/m.test(start) && /^description[ \t]*:/m.test(start)
  if (matter.kind === 'broken' && seems) return undefined
  const read = textOfFile(bytes)
  if (!read.ok) return note('not_an_agent', read.error.message, { hint: read.error.hint })
  return note('not_an_agent', 'not an agent: no front matter with a name and description')
}

/** Removes the zero bytes of UTF-16, which leaves ASCII readable enough to identify a file. */
const decodeGuessed = (bytes: Uint8Array): string =>
  textOfFile(bytes).ok
    ? decode(bytes)
    : decode(bytes)
        .replaceAll('\0', '')
        .replace(/^\uFFFD+/, '')

function notRead(path: string): Diagnostic {
  const inside = /(?:^|\/)(\.(?:opencode|codex|cursor|gemini)\/.*)$/.exec(path)?.[1]
  const hint = dialectHint(inside ?? path)
  return note('not_read', 'not an agent, a skill, or configuration', { hint })
}

const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')

function agentRecord(path: string, bytes: Uint8Array, pathBySlot: Map<string, string>): FileRecord {
  const { agent, found: findings } = parseAgent(bytes, stemOf(path))
  if (agent === null) return record(path, 'agent', null, 'rejected', findings)
  const slot = `${directoryOf(path)}${nameKey(agent.id)}`
  const earlier = pathBySlot.get(slot)
  if (earlier === undefined) {
    pathBySlot.set(slot, path)
    return record(path, 'agent', agent.id, statusOf(findings), findings)
  }
  const duplicate = error('duplicate_id', `${path} has the same ID as ${earlier}: ${agent.id}`)
  return record(path, 'agent', agent.id, 'rejected', [...findings, duplicate])
}

function skillRecord(
  path: string,
  read: (path: string) => Uint8Array,
  skills: ReadonlyMap<string, string>,
  pathBySlot: Map<string, string>,
): FileRecord {
  const directory = directoryOf(path).slice(0, -1)
  const id = directory.slice(directory.lastIndexOf('/') + 1) || 'skill'
  if (insideOf(directory, skills)) {
    return ignored(path, note('nested', 'ignored: nested inside another skill'))
  }
  const main = skills.get(directoryOf(path))
  if (main !== undefined && main !== path) {
    return record(path, 'skill', id, 'rejected', [skillVariant(path, main)])
  }
  const slot = `skill ${nameKey(directory)}`
  const earlier = pathBySlot.get(slot)
  if (earlier !== undefined) {
    const duplicate = error(
      'duplicate_id',
      `duplicates the skill ${earlier}, which takes precedence`,
    )
    return record(path, 'skill', id, 'rejected', [duplicate])
  }
  pathBySlot.set(slot, path)
  const { found: findings } = parseSkill(read(path), id)
  const variant = path.endsWith('SKILL.md')
    ? []
    : [note('file_name_variant', 'the file must be named SKILL.md', { hint: 'SKILL.md' })]
  return record(path, 'skill', id, statusOf(findings), [...findings, ...variant])
}

function configRecord(path: string, bytes: Uint8Array): FileRecord {
  const parsed = parseConfig(bytes, path)
  const fold = foldServers({
    builtin: [],
    layers: [],
    run: { kind: 'base', layer: '', path, etag: '', parsed, legacy: false },
    secrets: new Set(),
    bindings: new Map(),
    allowStdio: true,
    blocked: () => undefined,
    modelLack: () => undefined,
    policy: DEFAULT_POLICY,
    diagnostics: [],
  })
  // Folding a single source yields exactly one record.
  return fold.records[0]!
}

const ignored = (path: string, finding: Diagnostic): FileRecord =>
  record(path, 'other', null, 'ignored', [finding])

const record = (
  path: string,
  kind: FileKind,
  id: string | null,
  status: FileStatus,
  diagnostics: readonly Diagnostic[],
): FileRecord => ({ layer: '', path, kind, id, status, diagnostics })
