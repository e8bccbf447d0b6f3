/**
 * Parses an agent file: YAML front matter, and a body that is the system prompt, byte for byte.
 * Unusual front matter loads with findings. Unusable front matter (no name, an unknown enum value,
 * a list without any known tool) causes only that file to be rejected.
 */

import { sha256 } from '../../../lib/digest.ts'
import { hasUnseen, isKebab, kebabOf } from '../../../lib/name.ts'
import { LIMITS } from '../../limits.ts'
import { error, hasError, note, warning } from '../diagnostic.ts'
import { textOfFile } from '../encoding.ts'
import { hiddenCharacters } from '../layer/encoded-command.ts'
import { placeholderFindings } from '../skill/placeholders.ts'
import type { AgentEntry, Diagnostic, Grant } from '../types.ts'
import { firstLineOf, frontMatter } from '../yaml/frontmatter.ts'
import type { Head, HeadEntry } from '../yaml/head.ts'
import { AGENT_KEYS, ALSO } from './agent-keys.ts'
import { Fields } from './fields.ts'
import { memoryOf } from './memory.ts'
import { modelOf } from './model.ts'
import { confirmations, permissionDenials } from './permission.ts'
import { settingKeys, settingsIn } from './settings.ts'
import { meansKey, otherSpellings, readAs, respelled } from './spelling.ts'
import { USER_FACING_TOOLS } from './tool-names.ts'
import { distinct } from './tool-values.ts'
import { deniedTools, grantedTools, subtract, type ToolList } from './tools.ts'

type AgentDraft = Omit<AgentEntry, 'origin'>

export interface ParsedAgent {
  readonly type: 'agent'
  /** Parsed agent; null if the file is rejected or is not an agent. */
  readonly agent: AgentDraft | null
  /** Whether the file has no front matter and is ignored. */
  readonly ignored: boolean
  readonly found: readonly Diagnostic[]
}

const KNOWN_KEYS: ReadonlySet<string> = new Set(AGENT_KEYS.map(({ name }) => name))
/**
 * Front matter keys of numeric limits in camel case; runs and policies use snake case
 * (`timeout_seconds`).
 */
const NUMBERS = ['timeoutSeconds', 'modelPatienceSeconds', 'maxSteps'] as const
/** Keys of other products that would change the agent's permissions and are not supported here. */
const NOT_HONOURED = new Set([
  'hooks',
  'mcpServers',
  'mcp-servers',
  'permissionMode',
  'permissions',
  'isolation',
  'sandbox',
  'skills',
])
/** Keys that restrict an agent and have no effect in other files. */
const OF_AGENTS = [...ALSO.disallowedTools, ...ALSO.permission]

/**
 * Parses an agent file; `stem` is the file name without `.md`. Rejects content that is not UTF-8.
 */
export function parseAgent(bytes: Uint8Array, stem: string): ParsedAgent {
  if (bytes.byteLength > LIMITS.file_body_bytes) return rejected([tooLarge()])
  const read = textOfFile(bytes)
  if (!read.ok) return rejected([read.error])
  return parseAgentText(read.value, stem)
}

export function parseAgentText(text: string, stem: string): ParsedAgent {
  const matter = frontMatter(text)
  if (matter.kind === 'absent') {
    const finding = note('not_an_agent', 'not an agent: no front matter', {
      hint: '---',
    })
    return { type: 'agent', agent: null, ignored: true, found: [finding] }
  }
  if (matter.kind === 'broken') return rejected(matter.found)
  const { head, found: findings } = respelled(matter.head, NUMBERS)
  const fields = new Fields(head)
  fields.found.push(...matter.found, ...findings, ...hiddenCharacters(text))
  const bodyLine = firstLineOf(text, matter.body)
  fields.found.push(...placeholderFindings(matter.body, bodyLine, 'agent'))
  const agent = readAgent(fields, matter.body, stem)
  return {
    type: 'agent',
    agent: hasError(fields.found) ? null : agent,
    ignored: false,
    found: fields.found,
  }
}

export const tooLarge = (): Diagnostic =>
  error('file_too_large', `the file is larger than ${LIMITS.file_body_bytes} bytes`)

const rejected = (findings: readonly Diagnostic[]): ParsedAgent => ({
  type: 'agent',
  agent: null,
  ignored: false,
  found: findings,
})

function readAgent(fields: Fields, body: string, stem: string): AgentDraft {
  const name = fields.name()
  if (name === undefined && !hasError(fields.found)) {
    fields.error('name_missing', 'name', '`name` is missing', `name: ${kebabOf(stem) ?? stem}`)
  }
  const visibility = fields.oneOf('visibility', ['user-facing', 'internal', 'listed']) ?? 'listed'
  const draft: AgentDraft = {
    id: idOf(fields, name ?? stem, stem),
    display_name: name ?? stem,
    description: fields.description() ?? '',
    ...toolsOf(fields, visibility === 'user-facing'),
    ...modelOf(fields),
    model_role: fields.oneOf('modelRole', ['Main', 'Fallback', 'Compaction']),
    fork_context: fields.boolean('forkContext'),
    timeout_seconds: fields.count('timeoutSeconds', LIMITS.run_timeout_seconds_max),
    ...patienceOf(fields),
    visibility,
    emit_structured_findings: fields.boolean('emitStructuredFindings'),
    max_steps: fields.count('maxSteps', LIMITS.steps_max),
    ...memoryOf(fields),
    color: fields.shownText('color'),
    ...settingsIn(fields),
    extra: extraOf(
      fields,
      new Set([...KNOWN_KEYS, ...restrictions(fields.head), ...settingKeys(fields.head)]),
    ),
    system_prompt: body,
    body_digest: sha256(body),
  }
  if (body.trim() === '') {
    fields.found.push(error('body_empty', 'Missing system prompt (file body is empty)'))
  }
  return draft
}

function patienceOf(fields: Fields): Pick<AgentDraft, 'model_patience_seconds'> {
  const { model_patience_seconds_max: most } = LIMITS
  const seconds = fields.count('modelPatienceSeconds', most, 0)
  return seconds === null ? {} : { model_patience_seconds: seconds }
}

function idOf(fields: Fields, name: string, stem: string): string {
  if (!isKebab(name)) {
    const message = `\`name\` is not in kebab-case; the ID is the file name, ${stem}`
    const better = isKebab(stem) ? stem : kebabOf(name)
    fields.warn('name_not_kebab', 'name', message, better === undefined ? null : `name: ${better}`)
    if (hasUnseen(stem))
      fields.error('hidden_characters', 'name', 'the file name contains invisible characters')
    return stem
  }
  if (name !== stem)
    fields.warn('name_not_stem', 'name', `the file is named ${stem}.md, but the ID is ${name}`)
  return name
}

const restrictions = (head: Head): string[] =>
  Object.values(ALSO).flatMap((keys) => otherSpellings(head, keys))

function spelled(fields: Fields, key: keyof typeof ALSO): HeadEntry[] {
  const variants = otherSpellings(fields.head, ALSO[key])
  for (const [at, variant] of variants.entries()) {
    const read = key !== 'tools' || (fields.get(key) === undefined && at === 0)
    const effect = read ? `interpreted as \`${key}\`` : `ignored because \`${key}\` is also set`
    fields.found.push(readAs(variant, effect, key, fields.get(variant)!.line))
  }
  return [key, ...variants].map((name) => fields.get(name)).filter((entry) => entry !== undefined)
}

function toolsOf(
  fields: Fields,
  userFacing: boolean,
): Pick<
  AgentDraft,
  | 'tools'
  | 'asked_tools'
  | 'guessed'
  | 'disallowed_tools'
  | 'hands_down'
  | 'asks'
  | 'argument_rules'
  | 'spawns'
> {
  const granted = grantedTools(spelled(fields, 'tools')[0])
  const denials = spelled(fields, 'disallowedTools').map(deniedTools)
  const forbidden = spelled(fields, 'permission').map(permissionDenials)
  const confirm = spelled(fields, 'confirm-before').map(({ value, line }) =>
    confirmations(value, line),
  )
  for (const { found: findings } of [granted, ...denials, ...forbidden, ...confirm])
    fields.found.push(...findings)
  // Denials with a specifier are already reported; only denials from the file's own list are added.
  const refusedGrants = [
    ...denials.flatMap((list) => list.denied),
    ...forbidden.flatMap((rules) => rules.denied),
  ]
  const asks = [
    ...granted.asks,
    ...forbidden.flatMap((rules) => rules.asked),
    ...confirm.flatMap((list) => list.words),
  ]
  const byArguments = [granted, ...denials, ...forbidden].flatMap((list) => list.byArguments)
  const remaining = subtract(granted.allowed, refusedGrants, fields.line('disallowedTools'))
  fields.found.push(...remaining.found)
  return {
    tools: userFacing ? userFacingOf(fields, remaining.allowed) : remaining.allowed,
    ...(userFacing ? { asked_tools: remaining.allowed } : {}),
    ...(granted.guessed.length === 0 ? {} : { guessed: distinct(granted.guessed) }),
    disallowed_tools: distinct([...granted.denied, ...refusedGrants]),
    ...handedDown(granted, refusedGrants),
    ...(asks.length === 0 ? {} : { asks: distinct(asks) }),
    ...(byArguments.length === 0 ? {} : { argument_rules: byArguments }),
    ...(granted.spawns === null ? {} : { spawns: granted.spawns }),
  }
}

/**
 * Returns the denials that subagents inherit. Denials caused by allow list entries that cannot be
 * enforced are not inherited.
 */
function handedDown(
  { denied: deniedGrants, unenforced }: Pick<ToolList, 'denied' | 'unenforced'>,
  refusedGrants: readonly Grant[],
): Pick<AgentDraft, 'hands_down'> {
  const enforced = deniedGrants.filter((grant) => !unenforced.includes(grant))
  const all = distinct([...enforced, ...refusedGrants])
  return unenforced.every((grant) => all.includes(grant)) ? {} : { hands_down: all }
}

function userFacingOf(fields: Fields, allowed: readonly Grant[] | null): readonly Grant[] {
  if (allowed === null) return USER_FACING_TOOLS
  const outside = allowed.filter((grant) => !USER_FACING_TOOLS.includes(grant))
  if (outside.length === 0) return allowed
  fields.warn(
    'tool_not_user_facing',
    'tools',
    `a user-facing agent cannot have ${outside.join(', ')}; they were removed`,
    `tools: [${USER_FACING_TOOLS.join(', ')}]`,
  )
  const permitted = allowed.filter((grant) => USER_FACING_TOOLS.includes(grant))
  if (permitted.length === 0)
    fields.error('no_tools_left', 'tools', 'this user-facing agent has no tools left')
  return permitted
}

/** Returns unknown front matter keys unchanged, and reports keys that would change permissions. */
export function extraOf(
  fields: Fields,
  knownKeys: ReadonlySet<string>,
  honored: ReadonlySet<string> = new Set(),
): Record<string, unknown> {
  const extra: Record<string, unknown> = Object.create(null)
  const unknown: string[] = []
  for (const [key, entry] of fields.head) {
    if (knownKeys.has(key)) continue
    extra[key] = entry.value
    // Skills may define these keys in this place, where they apply (`core/tools/rules.ts`,
    // `skill/arguments.ts`).
    if (key === 'confirm-before' || honored.has(key)) continue
    if (NOT_HONOURED.has(key) || OF_AGENTS.some((agentKey) => meansKey(key, agentKey))) {
      fields.found.push(
        warning('not_honoured', `\`${key}\` is stored but not supported here`, {
          line: entry.line,
        }),
      )
    } else unknown.push(key)
  }
  if (unknown.length > 0) {
    const line = fields.line(unknown[0] ?? '')
    // Claude Code uses the name `maxTurns` for the same limit.
    const isLimit = knownKeys.has('maxSteps') && Number.isInteger(extra.maxTurns)
    const hint = isLimit ? `maxSteps: ${extra.maxTurns}` : null
    const message = `stored but has no effect: ${unknown.join(', ')}`
    fields.found.push(note('unknown_keys', message, { line, hint }))
  }
  return extra
}
