/**
 * Warnings about a run that continues anyway, such as a role without a layer or a missing server.
 * Acceptance adds warnings; findings at the run's start replace them.
 */

import { warning } from '../../config/diagnostic.ts'
import { INSTRUCTIONS_UNREAD } from '../../config/layer/instructions.ts'
import { CONFIG_UNREAD, MISMATCH, MISSING_SECRET } from '../../config/server/fold.ts'
import { joinNames, UNFILLED } from '../../config/skill/placeholders.ts'
import type { AgentEntry, Diagnostic, FileKind, FileRecord, Resolved } from '../../config/types.ts'
import type { RunWarning, TaskWarning, Warned } from '../log/fact-parts.ts'
import type { RunState } from './state.ts'

/** Maximum number of warnings kept when a run starts. */
export const WARNINGS = 64
/** Maximum number of warnings sent with a result. The run itself has all warnings. */
const RESULT_WARNINGS = 8

/**
 * Codes of findings about the choice of layers. Findings about layer contents are in file records
 * and servers.
 */
const OF_LAYERS: ReadonlySet<string> = new Set([
  'role_layer_invalid',
  'base_layer_empty',
  CONFIG_UNREAD,
  INSTRUCTIONS_UNREAD,
])
/** Codes of findings about servers with a missing or mismatched secret. */
const OF_SERVERS: ReadonlySet<string> = new Set([MISSING_SECRET, MISMATCH])

export const layerFindings = ({ diagnostics }: Pick<Resolved, 'diagnostics'>): Diagnostic[] =>
  diagnostics.filter(({ code }) => OF_LAYERS.has(code))

/** Returns warnings about the run's layers, their servers, and these servers' secrets. */
export function layerWarnings(
  resolved: Pick<Resolved, 'diagnostics' | 'missing_secrets' | 'unavailable'>,
): RunWarning[] {
  const down = new Set(resolved.unavailable.map(({ name }) => name))
  const secrets = resolved.missing_secrets
    .filter(({ server }) => !down.has(server))
    .map(({ server, name }) =>
      // Escaped like diagnostics, because names in files are third-party input.
      warning(
        'missing_secret',
        `MCP server ${server}: secret ${name} is not set and will not be sent`,
      ),
    )
  const layerFindings = resolved.diagnostics.filter(
    ({ code, severity }) => severity !== 'note' && !OF_SERVERS.has(code),
  )
  return [...layerFindings, ...secrets].map(warningOf)
}

/** Returns findings about the layers, the agent's own file, and files that were not loaded. */
export const fileWarnings = (
  resolved: Resolved,
  agent: AgentEntry,
  namesModel: boolean,
): RunWarning[] => [
  ...layerWarnings(resolved),
  ...agentWarnings(resolved, agent, namesModel),
  ...brokenFiles(resolved),
]

/**
 * Returns warnings about the agent's file. With `namesModel`, the run names a model and the file's
 * model is ignored. Missing tools are reported separately in `missingTools`.
 */
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

/** Maximum number of broken files to name in warnings. */
const NAMED_FILES = 16
/**
 * Kinds of files to name in warnings. Files of servers and instructions already have findings in
 * the layers.
 */
const NAMED_KINDS: readonly FileKind[] = ['agent', 'skill', 'schedule']

/**
 * Returns warnings about files that were not loaded, each with its first error. Files beyond the
 * maximum are only counted.
 */
export function brokenFiles({ records }: Pick<Resolved, 'records'>): RunWarning[] {
  const brokenRecords = records.filter(
    ({ kind, status }) => status === 'rejected' && NAMED_KINDS.includes(kind),
  )
  const extraCount = brokenRecords.length - NAMED_FILES
  const message = `${extraCount} more layer files were not loaded`
  const hint = 'to list all of them, use POST /v1/resolve or strata check'
  const more = extraCount > 0 ? [{ code: 'file_rejected', message: message, hint }] : []
  return [...brokenRecords.slice(0, NAMED_FILES).map(brokenFile), ...more]
}

function brokenFile({ kind, layer, path, diagnostics }: FileRecord): RunWarning {
  const failure = diagnostics.find(({ severity }) => severity === 'error')
  const line = failure?.line == null ? '' : ` line ${failure.line}`
  const reason = failure?.message ?? 'not valid'
  const message = `The ${kind} ${layer}${path} was not loaded:${line} ${reason}`
  // Escaped like diagnostics, because file paths are third-party input.
  return warningOf(warning('file_rejected', message, { hint: failure?.hint ?? null }))
}

/** Returns the distinct warnings, up to the maximum; the last entry counts the omitted ones. */
export function boundedWarnings(warnings: readonly RunWarning[]): RunWarning[] {
  const all = distinct(warnings)
  if (all.length <= WARNINGS) return all
  const firstWarnings = all.slice(0, WARNINGS - 1)
  const message = `${all.length - firstWarnings.length} more warnings are omitted`
  return [...firstWarnings, { code: 'more_warnings', message }]
}

const distinct = (warnings: readonly RunWarning[]): RunWarning[] => [
  ...new Map(warnings.map((entry) => [`${entry.code} ${entry.message}`, entry])).values(),
]

/** Returns warnings about unfilled placeholders of a skill that a person opened. */
export const unfilledWarnings = (skill: string, placeholders: readonly string[]): RunWarning[] =>
  placeholders.length === 0
    ? []
    : [
        warningOf(
          warning(UNFILLED, `skill ${skill}: unfilled placeholders: ${joinNames(placeholders)}`),
        ),
      ]

const warningOf = ({ code, message, hint }: Diagnostic): RunWarning =>
  hint === null ? { code, message } : { code, message, hint }

/** Returns warnings as a member of a fact, spec, or view; omitted if empty. */
export const warned = (warnings: readonly RunWarning[] | undefined): Warned =>
  warnings === undefined || warnings.length === 0 ? {} : { warnings }

type WarnedState = Pick<RunState, 'started' | 'spec' | 'answerWarnings'>

/**
 * Returns the run's current warnings: those of its start (before it, of acceptance), then those of
 * its answers.
 */
export const warningsOf = ({ started, spec, answerWarnings }: WarnedState): Warned =>
  warned(
    distinct([
      ...((started === null ? spec?.warnings : started.warnings) ?? []),
      ...answerWarnings,
    ]),
  )

/** Returns the run's first warnings, for sending with a result. */
export const toldWarnings = (state: WarnedState): Warned =>
  warned(warningsOf(state).warnings?.slice(0, RESULT_WARNINGS))

/** Merges the warnings of several tasks; a warning that tasks share becomes one entry. */
export function taskWarnings(tasks: readonly Warned[]): TaskWarning[] {
  const merged = new Map<string, { readonly warning: RunWarning; readonly tasks: number[] }>()
  // Tasks with the same location share one array of warnings.
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
