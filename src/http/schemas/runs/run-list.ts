/** Schemas of the filters in run lists. */

import * as z from 'zod'
import type { RunFilter } from '../../../core/run/views/tags.ts'
import { roleName } from '../../../lib/name.ts'
import type { Search } from '../../views/search.ts'
import { pageQuery } from '../shared/common.ts'
import { createdFilter, idFilter, oneOrMore, searchText, statusFilter } from '../shared/words.ts'
import { RunStatus, WAITING_ON } from './runs.ts'

const METADATA = 'metadata.'

const text = (max: number, words: string) => z.string().min(1).max(max).optional().describe(words)

const shape = {
  ...pageQuery,
  status: statusFilter(RunStatus),
  kind: z
    .enum(['main', 'hook', 'schedule'], {
      error:
        'The kind must be main, hook, or schedule; list subagents with GET ' +
        '/v1/runs/{id}/children.',
    })
    .optional()
    .describe(
      'Origin of the run: a request, an inbound webhook, or a schedule. Defaults to all ' +
        'origins',
    ),
  agent: text(200, 'ID of the agent whose runs are listed'),
  session_id: idFilter('ses', 'ID of the session whose runs are listed'),
  role: text(64, 'Role whose runs are listed'),
  label: text(200, 'Exact label of the runs to list'),
  model: text(200, 'Exact model whose runs are listed, as the run reports it (`provider/model`)'),
  waiting_on: oneOrMore(WAITING_ON).describe(
    'Conditions that the runs wait for, separated by commas: ' +
      `${WAITING_ON.join(', ')}. Selects only runs with the status \`waiting\`. ` +
      'A run waits for `subagents` while one of its subagents waits for a model',
  ),
  q: searchText(
    "the run's ID, agent, label, role, input, metadata values, error message, or answer. Of a " +
      'long input or answer, only the beginning that a list shows is searched',
  ),
  ...createdFilter,
  order: z
    .enum(['desc', 'asc'])
    .default('desc')
    .describe('Sort order by creation time; `desc` lists the newest first'),
}

/**
 * Schema of a run list's query. Filters `metadata.<key>=<value>` are additional; all filters must
 * match.
 */
export const RunsQuery = z
  .object(shape)
  .catchall(z.string().max(512))
  .superRefine((query, context) => {
    for (const key of Object.keys(query)) {
      if (Object.hasOwn(shape, key)) continue
      if (key.startsWith(METADATA) && key.length > METADATA.length) continue
      context.addIssue({ code: 'custom', path: [key], message: 'Unknown key.' })
    }
  })

export type RunsQuery = z.output<typeof RunsQuery>

/** Converts a query to a search of runs; undefined selects all runs, newest first. */
export function searchOf(query: RunsQuery): Search | undefined {
  const { status, kind, agent, session_id, label, q, model, waiting_on, order } = query
  const role = query.role && (roleName(query.role) ?? query.role)
  const { 'created[gte]': from, 'created[lt]': to } = query
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    key.startsWith(METADATA) ? [[key.slice(METADATA.length), value as string] as const] : [],
  )
  const fields = { status, kind, agent, session_id, role, label, q, model, waiting_on }
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  const filter: RunFilter = {
    ...Object.fromEntries(entries),
    ...(pairs.length === 0 ? {} : { metadata: Object.fromEntries(pairs) }),
  }
  const all = entries.length === 0 && pairs.length === 0 && from === undefined && to === undefined
  return all && order === 'desc' ? undefined : { filter, order, from, to }
}
