/**
 * Commands that read data, and cancel or retry runs, with one request each. `--json` prints the
 * server's response.
 */

import type { components, Strata } from '../client/index.ts'
import { isId } from '../lib/id.ts'
import { oneLine } from '../lib/invisible-characters.ts'
import { clientOf } from './api.ts'
import { jsonLine } from './run.ts'
import { tableOf } from './table.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './usage-error.ts'

export interface Shape {
  readonly json?: boolean | undefined
}

export interface RunsAsked extends Shape {
  readonly limit: number
  readonly status?: string
  readonly agent?: string
  readonly session?: string
  readonly role?: string
  readonly label?: string
  readonly metadata?: readonly string[]
  readonly model?: string
  readonly waitingOn?: string
  readonly search?: string
  readonly from?: string
  readonly to?: string
  readonly oldest?: boolean
}

/** Lists runs with the same filters as `GET /v1/runs`. */
export async function runs(terminal: Terminal, { json, ...filters }: RunsAsked): Promise<number> {
  const page = await clientOf(terminal.env).runs.list(runsQuery(filters))
  const lines = json
    ? page.data.map(jsonLine)
    : tableOf(
        ['created_at', 'id', 'status', 'agent', 'label'],
        page.data.map(({ created_at, id, status, agent, label }) => {
          return [created_at, id, status, agent, label]
        }),
      )
  for (const line of lines) terminal.out(line)
  if (page.has_more && page.data.length < filters.limit)
    terminal.err(
      'Only the maximum number of runs was read; there may be more. Narrow the range with ' +
        '--from and --to.',
    )
  return 0
}

type RunsQuery = Parameters<Strata['runs']['list']>[0]

/** Builds the query for listing runs; undefined filters are not sent. */
function runsQuery(options: RunsAsked): RunsQuery {
  const { metadata = [], from, to, session, search, waitingOn, oldest, ...filters } = options
  const pairs = metadata.map((pair) => {
    const at = pair.indexOf('=')
    return [`metadata.${pair.slice(0, at)}`, pair.slice(at + 1)]
  })
  return {
    ...{ ...filters, session_id: session, q: search, waiting_on: waitingOn },
    ...{ 'created[gte]': from, 'created[lt]': to },
    ...Object.fromEntries(pairs),
    order: oldest ? 'asc' : undefined,
  }
}

export async function cancel(
  terminal: Terminal,
  id: string,
  { reason, json }: Shape & { reason?: string },
): Promise<number> {
  const { runs: some, fanouts } = clientOf(terminal.env)
  const cancelled = await (id.startsWith('fan_') ? fanouts : some).cancel(id, { reason })
  terminal.out(json ? jsonLine(cancelled) : oneLine(`${cancelled.id} ${cancelled.status}`))
  if (HAD_ENDED.has(cancelled.status))
    terminal.err('The run or fan-out had already ended; nothing was cancelled.')
  return 0
}

const HAD_ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'timed_out'])

export async function retry(terminal: Terminal, id: string, { json }: Shape): Promise<number> {
  const run = await clientOf(terminal.env).runs.retry(id)
  const { retried, status } = run
  const outcome =
    retried.length === 0 ? 'an attempt is in progress' : `retried: ${retried.join(', ')}`
  terminal.out(json ? jsonLine(run) : oneLine(`${run.id} ${status} (${outcome})`))
  return 0
}

export interface Selection {
  readonly role?: string | undefined
  readonly repoDir?: string | undefined
}

type Resolved = components['schemas']['Resolved']
type Finding = components['schemas']['Diagnostic']
interface Entry {
  readonly id?: string
  readonly name?: string
  readonly enabled?: boolean
  readonly available?: boolean
  readonly reason?: string | null
  readonly origin: { readonly kind: string; readonly key: string }
}

/** Prints the configuration that a run with the given layers would use. */
export async function resolve(
  terminal: Terminal,
  { role, repoDir, json }: Selection & Shape,
): Promise<number> {
  const resolved = await clientOf(terminal.env).layers.resolve({ role, repo_dir: repoDir })
  if (json) terminal.out(jsonLine(resolved))
  else for (const line of resolvedLines(resolved)) terminal.out(oneLine(line))
  return 0
}

function resolvedLines(resolved: Resolved): string[] {
  const rows = (kind: string, all: readonly Entry[]): string[][] =>
    all.map(({ id, name, enabled, available, reason, origin }) => {
      const off = enabled === false ? ['disabled'] : []
      const reasons = available === false ? [`unavailable: ${reason ?? 'no reason is known'}`] : []
      return [kind, id ?? name ?? '', origin.key || origin.kind, [...off, ...reasons].join(', ')]
    })
  const finding = ({ severity, message, code }: Finding): string =>
    `${severity}: ${message} [${code}]`
  const files = resolved.records.flatMap(({ layer, path, diagnostics }) =>
    diagnostics
      .filter(({ severity }) => severity !== 'note')
      .map((diagnostic) => `${layer}${path}: ${finding(diagnostic)}`),
  )
  return [
    ...tableOf(
      ['kind', 'name', 'origin', 'reason'],
      [
        ...rows('agent', resolved.agents),
        ...rows('skill', resolved.skills),
        ...rows('server', resolved.servers),
      ],
    ),
    ...resolved.unavailable.map(({ name, message }) => `unavailable: ${name}: ${message}`),
    ...resolved.diagnostics.map(finding),
    ...files,
    `digest ${resolved.digest}`,
  ]
}

/** Compares two configurations; exits with 0 if they are equal, otherwise 1. */
export async function diff(
  terminal: Terminal,
  left: string,
  right: string,
  { json }: Shape,
): Promise<number> {
  const sides = [left, right].map(sideOf)
  const { layers, runs: some } = clientOf(terminal.env)
  const side = async (selection: object): Promise<object> => {
    if (!('run' in selection)) return selection
    const text = String(selection.run)
    const { config_digest } = await some.get(text)
    if (config_digest === null)
      throw new Error(`${text} has not started, so it has no configuration yet`)
    return { digest: config_digest }
  }
  const request = { left: await side(sides[0]!), right: await side(sides[1]!) }
  const result = await layers.diff(request)
  if (json) terminal.out(jsonLine(result))
  else {
    const rows = result.differences.map(({ kind, id, change, fields }) => {
      return [change, kind, id, fields.join(', ')]
    })
    for (const line of tableOf(['change', 'kind', 'id', 'fields'], rows)) terminal.out(line)
  }
  return result.differences.length === 0 ? 0 : 1
}

const SIDE = /^(?:base|(?:role=[^,]+|repo=[^,]+)(?:,(?:role=[^,]+|repo=[^,]+))?)$/

/**
 * Parses one side of a comparison: a run, a digest, `base`, or `role=R,repo=P` with one or both
 * parts.
 */
function sideOf(text: string): object {
  if (isId('run', text)) return { run: text }
  if (/^[0-9a-f]{64}$/.test(text)) return { digest: text }
  if (!SIDE.test(text)) {
    throw new WrongUse(
      `invalid configuration ${text}; use a run ID, a digest, base, or role=R,repo=P`,
    )
  }
  const selection = Object.fromEntries(text.split(',').map((part) => part.split('=', 2)))
  return text === 'base' ? {} : { role: selection.role, repo_dir: selection.repo }
}
