/** Commands that list and decide approvals. `--json` prints the server's response. */

import type { components } from '../client/index.ts'
import { oneLine } from '../lib/invisible-characters.ts'
import { clientOf } from './api.ts'
import type { Shape } from './manage.ts'
import { jsonLine } from './run.ts'
import { tableOf } from './table.ts'
import type { Terminal } from './terminal.ts'
import { WrongUse } from './usage-error.ts'

type Approval = components['schemas']['Approval']

/** Maximum number of approvals that `strata approvals` prints. */
const MAX_ROWS = 100

interface ApprovalFilters extends Shape {
  readonly run?: string
  readonly tool?: string
}

/** Lists tool calls that wait for approval. */
export async function approvals(
  terminal: Terminal,
  { json, run, tool }: ApprovalFilters,
): Promise<number> {
  const query = { limit: MAX_ROWS, run_id: run, tool }
  const matches: Approval[] = []
  for await (const approval of clientOf(terminal.env).approvals.list(query)) {
    matches.push(approval)
    if (matches.length > MAX_ROWS) break
  }
  const data = matches.slice(0, MAX_ROWS)
  const rows = data.map((approval) => [
    approval.id,
    approval.run_id,
    approval.tool,
    approval.arguments,
  ])
  const lines = json ? data.map(jsonLine) : tableOf(['id', 'run_id', 'tool', 'arguments'], rows)
  for (const line of lines) terminal.out(line)
  if (matches.length > MAX_ROWS)
    terminal.err(`Only the newest ${MAX_ROWS} approvals are shown. Select with --run and --tool.`)
  return 0
}

interface DecisionOptions extends Shape {
  readonly reason?: string
  readonly arguments?: string
}

/** Decides the approvals; several IDs are one request, and exit with 1 if any was not decided. */
export async function decide(
  terminal: Terminal,
  decision: 'approve' | 'deny',
  ids: readonly string[],
  { reason, arguments: text, json }: DecisionOptions,
): Promise<number> {
  const newArguments = text === undefined ? undefined : objectOf(text)
  const { approvals: api } = clientOf(terminal.env)
  const [id = ''] = ids
  if (ids.length === 1) {
    const decided = await api.decide(id, { decision, reason, arguments: newArguments })
    terminal.out(json ? jsonLine(decided) : oneLine(`${decided.id} ${decided.status}`))
    return 0
  }
  if (newArguments !== undefined) throw new WrongUse('--arguments applies to one approval only')
  const { data } = await api.decideMany({ ids: [...ids], decision, reason })
  for (const outcome of data) {
    if (json) terminal.out(jsonLine(outcome))
    else if (outcome.code === undefined) terminal.out(oneLine(`${outcome.id} ${outcome.status}`))
    else terminal.err(oneLine(`${outcome.id}: ${outcome.detail} [${outcome.code}]`))
  }
  return data.some(({ code }) => code !== undefined) ? 1 : 0
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // The error is reported after this block.
  }
  throw new WrongUse('--arguments must be a JSON object')
}
