/**
 * Warnings about a run that goes on all the same: a role without a layer, a missing server.
 * Acceptance says what it sees; the findings of the start replace them.
 */

import { warning } from '../../config/diagnostic.ts'
import { INSTRUCTIONS_UNREAD } from '../../config/layer/instructions.ts'
import { CONFIG_UNREAD, MISMATCH, MISSING_SECRET } from '../../config/server/fold.ts'
import { named, UNFILLED } from '../../config/skill/placeholders.ts'
import type { AgentEntry, Diagnostic, Resolved } from '../../config/types.ts'
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
        `MCP server ${server}: there is no secret ${name}, so what needs it is not sent`,
      ),
    )
  const found = resolved.diagnostics.filter(
    ({ code, severity }) => severity !== 'note' && !OF_SERVERS.has(code),
  )
  return [...found, ...secrets].map(warningOf)
}

/**
 * Findings about the agent's file that change what the run does: its prompt has placeholders that
 * nothing fills, or it names a model that counts for nothing and the run names none.
 */
export function agentWarnings(
  { records }: Pick<Resolved, 'records'>,
  { origin }: Pick<AgentEntry, 'origin'>,
  namesModel: boolean,
): RunWarning[] {
  const told = namesModel ? [UNFILLED] : [UNFILLED, 'model_unknown']
  return records
    .filter(({ layer, path }) => layer + path === origin.key)
    .flatMap(({ diagnostics }) => diagnostics.filter(({ code }) => told.includes(code)))
    .map(warningOf)
}

/** Placeholders of a skill that a person has opened, as far as nothing could be filled in. */
export const unfilledWarnings = (skill: string, left: readonly string[]): RunWarning[] =>
  left.length === 0
    ? []
    : [
        warningOf(
          warning(UNFILLED, `skill ${skill}: placeholders stay as they are: ${named(left)}`),
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
  warned([...((started === null ? spec?.warnings : started.warnings) ?? []), ...told])

/** The first of them, to go with a result. */
export const toldWarnings = (state: Shown): Warned =>
  warned(warningsOf(state).warnings?.slice(0, TOLD))

/** One entry for what several tasks share. */
export function taskWarnings(tasks: readonly Warned[]): TaskWarning[] {
  const found = new Map<string, { readonly warning: RunWarning; readonly tasks: number[] }>()
  for (const [index, { warnings = [] }] of tasks.entries()) {
    for (const warning of warnings) {
      const key = JSON.stringify(warning)
      const entry = found.get(key) ?? { warning, tasks: [] }
      entry.tasks.push(index)
      found.set(key, entry)
    }
  }
  return [...found.values()]
    .slice(0, WARNINGS)
    .map(({ warning, tasks: places }) => ({ ...warning, tasks: places }))
}
