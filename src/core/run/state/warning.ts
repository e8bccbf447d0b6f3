/**
 * Warnings about a run that goes on all the same: a role without a layer, a missing server.
 * Acceptance says what it sees; the findings of the start replace them.
 */

import { warning } from '../../config/diagnostic.ts'
import { INSTRUCTIONS_UNREAD } from '../../config/layer/instructions.ts'
import { CONFIG_UNREAD, MISMATCH, MISSING_SECRET } from '../../config/server/fold.ts'
import { joinNames, UNFILLED } from '../../config/skill/placeholders.ts'
import type { AgentEntry, Diagnostic, FileKind, FileRecord, Resolved } from '../../config/types.ts'
import type { RunWarning, TaskWarning, Warned } from '../log/fact-parts.ts'
import type { RunState } from './state.ts'

/** So many are kept of one start. */
export const WARNINGS = 64
/** So many travel with a result; the run has them all. */
const RESULT_WARNINGS = 8

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
  const layerFindings = resolved.diagnostics.filter(
    ({ code, severity }) => severity !== 'note' && !OF_SERVERS.has(code),
  )
  return [...layerFindings, ...secrets].map(warningOf)
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
  const brokenRecords = records.filter(
    ({ kind, status }) => status === 'rejected' && NAMED_KINDS.includes(kind),
  )
  const extraCount = brokenRecords.length - NAMED_FILES
  const message = `${extraCount} more files of the layers are not loaded`
  const hint = 'POST /v1/resolve, or strata check, lists all of them'
  const more = extraCount > 0 ? [{ code: 'file_rejected', message: message, hint }] : []
  return [...brokenRecords.slice(0, NAMED_FILES).map(brokenFile), ...more]
}

function brokenFile({ kind, layer, path, diagnostics }: FileRecord): RunWarning {
  const failure = diagnostics.find(({ severity }) => severity === 'error')
  const line = failure?.line == null ? '' : ` line ${failure.line}`
  const reason = failure?.message ?? 'not valid'
  const message = `The ${kind} ${layer}${path} is not loaded:${line} ${reason}`
  // As diagnostics are: paths are text of strangers.
  return warningOf(warning('file_rejected', message, { hint: failure?.hint ?? null }))
}

/** The first of them, each once; the last entry counts those that are left out. */
export function boundedWarnings(warnings: readonly RunWarning[]): RunWarning[] {
  const all = distinct(warnings)
  if (all.length <= WARNINGS) return all
  const firstWarnings = all.slice(0, WARNINGS - 1)
  const message = `${all.length - firstWarnings.length} more warnings are not listed`
  return [...firstWarnings, { code: 'more_warnings', message }]
}

const distinct = (warnings: readonly RunWarning[]): RunWarning[] => [
  ...new Map(warnings.map((entry) => [`${entry.code} ${entry.message}`, entry])).values(),
]

/** Placeholders of a skill that a person has opened, as far as nothing could be filled in. */
export const unfilledWarnings = (skill: string, placeholders: readonly string[]): RunWarning[] =>
  placeholders.length === 0
    ? []
    : [
        warningOf(
          warning(
            UNFILLED,
            `skill ${skill}: placeholders are not filled in: ${joinNames(placeholders)}`,
          ),
        ),
      ]

const warningOf = ({ code, message, hint }: Diagnostic): RunWarning =>
  hint === null ? { code, message } : { code, message, hint }

/** As a member of a fact, a spec or a view. */
export const warned = (warnings: readonly RunWarning[] | undefined): Warned =>
  warnings === undefined || warnings.length === 0 ? {} : { warnings }

type WarnedState = Pick<RunState, 'started' | 'spec' | 'answerWarnings'>

/** Current warnings: those of the start, before that those of acceptance; then those of answers. */
export const warningsOf = ({ started, spec, answerWarnings }: WarnedState): Warned =>
  warned(
    distinct([
      ...((started === null ? spec?.warnings : started.warnings) ?? []),
      ...answerWarnings,
    ]),
  )

/** The first of them, to go with a result. */
export const toldWarnings = (state: WarnedState): Warned =>
  warned(warningsOf(state).warnings?.slice(0, RESULT_WARNINGS))

/** Merges a warning that several tasks share into one entry. */
export function taskWarnings(tasks: readonly Warned[]): TaskWarning[] {
  const merged = new Map<string, { readonly warning: RunWarning; readonly tasks: number[] }>()
  // Tasks of one place share their list.
  const keysOf = new Map<readonly RunWarning[], readonly string[]>()
  for (const [index, { warnings = [] }] of tasks.entries()) {
    const keys = keysOf.get(warnings) ?? warnings.map((item) => JSON.stringify(item))
    keysOf.set(warnings, keys)
    for (const [at, warning] of warnings.entries()) {
      const key = keys[at]!
      const entry = merged.get(key) ?? { warning, tasks: [] }
      entry.tasks.push(index)
      merged.set(key, entry)
    }
  }
  return [...merged.values()]
    .slice(0, WARNINGS)
    .map(({ warning, tasks: places }) => ({ ...warning, tasks: places }))
}
