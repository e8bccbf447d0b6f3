/**
 * Warnings about a run that goes on all the same: a role without a layer, a missing server.
 * Acceptance says what it sees; the findings of the start replace them.
 */

import { warning } from '../../config/diagnostic.ts'
import { INSTRUCTIONS_UNREAD } from '../../config/layer/instructions.ts'
import { CONFIG_UNREAD, MISMATCH, MISSING_SECRET } from '../../config/server/fold.ts'
import { named, UNFILLED } from '../../config/skill/placeholders.ts'
import type { AgentEntry, Diagnostic, FileKind, FileRecord, Resolved } from '../../config/types.ts'
import type { RunWarning, TaskWarning, Warned } from '../log/fact-parts.ts'
import type { RunState } from './state.ts'

/** So many are kept of one start. */
export const WARNINGS = 64
/** So many travel with a result; the run has them all. */
const TOLD = 8

/** Findings about the choice of layers: of what is in them, the records and servers tell. */
const OF_LAYERS: ReadonlySet<string> = new Set([
  'role_layer_invalid',
  'base_layer_empty',
  CONFIG_UNREAD,
  INSTRUCTIONS_UNREAD,
])
/** Set for the server that lacks it. */
const OF_SERVERS: ReadonlySet<string> = new Set([MISSING_SECRET, MISMATCH])

export const layerFindings = ({ diagnostics }: Pick<Resolved, 'diagnostics'>): Diagnostic[] =>
  diagnostics.filter(({ code }) => OF_LAYERS.has(code))

/** Oddities of a run by its choice of layers, the servers that they bring and their secrets. */
export function layerWarnings(
  resolved: Pick<Resolved, 'diagnostics' | 'missing_secrets' | 'unavailable'>,
): RunWarning[] {
  const down = new Set(resolved.unavailable.map(({ name }) => name))
  const secrets = resolved.missing_secrets
    .filter(({ server }) => !down.has(server))
    .map(({ server, name }) =>
      // As diagnostics are: names from files are text of strangers.
      warning(
        'missing_secret',
        `MCP server ${server}: the secret ${name} is not set, so it is not sent`,
      ),
    )
  const found = resolved.diagnostics.filter(
    ({ code, severity }) => severity !== 'note' && !OF_SERVERS.has(code),
  )
  return [...found, ...secrets].map(warningOf)
}

/** Findings about the layers, the agent's own file, and those that are not loaded. */
export const fileWarnings = (
  resolved: Resolved,
  agent: AgentEntry,
  namesModel: boolean,
): RunWarning[] => [
  ...layerWarnings(resolved),
  ...agentWarnings(resolved, agent, namesModel),
  ...brokenFiles(resolved),
]

/** `namesModel`: the run names one, so that of the file does not count. Tools: see `missingTools`. */
function agentWarnings(
  { records }: Pick<Resolved, 'records'>,
  { origin }: Pick<AgentEntry, 'origin'>,
  namesModel: boolean,
): RunWarning[] {
  return records
    .filter(({ layer, path }) => layer + path === origin.key)
    .flatMap(({ diagnostics }) => diagnostics.filter(({ severity }) => severity === 'warning'))
    .filter(({ code }) => code !== 'tool_unavailable' && !(namesModel && code === 'model_unknown'))
    .map(warningOf)
}

/** So many broken files are named. */
const NAMED_FILES = 16
/** Files of servers and of instructions have findings of the layers. */
const NAMED_KINDS: readonly FileKind[] = ['agent', 'skill', 'schedule']

/** Files of the layers that are not loaded, each with its first error; the rest as a count. */
export function brokenFiles({ records }: Pick<Resolved, 'records'>): RunWarning[] {
  const broken = records.filter(
    ({ kind, status }) => status === 'rejected' && NAMED_KINDS.includes(kind),
  )
  const left = broken.length - NAMED_FILES
  const rest = `${left} more files of the layers are not loaded`
  const hint = 'POST /v1/resolve, or strata check, lists all of them'
  const more = left > 0 ? [{ code: 'file_rejected', message: rest, hint }] : []
  return [...broken.slice(0, NAMED_FILES).map(brokenFile), ...more]
}

function brokenFile({ kind, layer, path, diagnostics }: FileRecord): RunWarning {
  const found = diagnostics.find(({ severity }) => severity === 'error')
  const line = found?.line == null ? '' : ` line ${found.line}`
  const why = found?.message ?? 'not valid'
  const message = `The ${kind} ${layer}${path} is not loaded:${line} ${why}`
  // As diagnostics are: paths are text of strangers.
  return warningOf(warning('file_rejected', message, { hint: found?.hint ?? null }))
}

/** The first of them, each once; the last entry counts those that are left out. */
export function boundedWarnings(warnings: readonly RunWarning[]): RunWarning[] {
  const all = distinct(warnings)
  if (all.length <= WARNINGS) return all
  const kept = all.slice(0, WARNINGS - 1)
  const message = `${all.length - kept.length} more warnings are not listed`
  return [...kept, { code: 'more_warnings', message }]
}

const distinct = (warnings: readonly RunWarning[]): RunWarning[] => [
  ...new Map(warnings.map((one) => [`${one.code} ${one.message}`, one])).values(),
]

/** Placeholders of a skill that a person has opened, as far as nothing could be filled in. */
export const unfilledWarnings = (skill: string, left: readonly string[]): RunWarning[] =>
  left.length === 0
    ? []
    : [
        warningOf(
          warning(UNFILLED, `skill ${skill}: placeholders are not filled in: ${named(left)}`),
        ),
      ]

const warningOf = ({ code, message, hint }: Diagnostic): RunWarning =>
  hint === null ? { code, message } : { code, message, hint }

/** As a member of a fact, a spec or a view. */
export const warned = (warnings: readonly RunWarning[] | undefined): Warned =>
  warnings === undefined || warnings.length === 0 ? {} : { warnings }

type Shown = Pick<RunState, 'started' | 'spec' | 'told'>

/** Current warnings: those of the start, before that those of acceptance; then those of answers. */
export const warningsOf = ({ started, spec, told }: Shown): Warned =>
  warned(distinct([...((started === null ? spec?.warnings : started.warnings) ?? []), ...told]))

/** The first of them, to go with a result. */
export const toldWarnings = (state: Shown): Warned =>
  warned(warningsOf(state).warnings?.slice(0, TOLD))

/** Merges a warning that several tasks share into one entry. */
export function taskWarnings(tasks: readonly Warned[]): TaskWarning[] {
  const found = new Map<string, { readonly warning: RunWarning; readonly tasks: number[] }>()
  // Tasks of one place share their list.
  const keysOf = new Map<readonly RunWarning[], readonly string[]>()
  for (const [index, { warnings = [] }] of tasks.entries()) {
    const keys = keysOf.get(warnings) ?? warnings.map((one) => JSON.stringify(one))
    keysOf.set(warnings, keys)
    for (const [at, warning] of warnings.entries()) {
      const key = keys[at]!
      const entry = found.get(key) ?? { warning, tasks: [] }
      entry.tasks.push(index)
      found.set(key, entry)
    }
  }
  return [...found.values()]
    .slice(0, WARNINGS)
    .map(({ warning, tasks: places }) => ({ ...warning, tasks: places }))
}
