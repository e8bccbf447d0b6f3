/** Rows of a conversation, in display order, so that a list can render only the visible ones. */

import { itemsOf } from '../log/conversation.ts'
import type { Call, Item, RunView, Tree, Warning } from '../log/shape.ts'
import { freshWarnings } from '../log/warnings.ts'
import { numbersOf, pendingIn, questionsIn } from './subagents.ts'
import type { Turn } from './turns.ts'

interface OfView {
  readonly key: string
  readonly view: RunView
}
export type Row =
  | { readonly kind: 'past'; readonly key: string; readonly item: Item }
  | { readonly kind: 'queued'; readonly key: string; readonly turn: Turn }
  | (OfView & { readonly kind: 'todos' | 'foot' })
  | (OfView & { readonly kind: 'head'; readonly warnings: readonly Warning[] })
  | (OfView & { readonly kind: 'item'; readonly item: Item })
  | (OfView & { readonly kind: 'folded'; readonly calls: readonly Call[] })

interface Options {
  readonly tree: Tree
  /** Returns the state whose calls an expanded group shows, or an empty string for all states. */
  readonly unfoldedAs: (key: string) => string | undefined
}

export function rowsOf(
  past: readonly Item[],
  turns: readonly Turn[],
  options: Options,
): readonly Row[] {
  const rows: Row[] = past.map((item) => ({ kind: 'past', key: item.key, item }))
  const fresh = freshWarnings(turns.flatMap(({ view }) => view ?? []))
  for (const turn of turns) {
    if (turn.view) rows.push(...rowsOfRun(turn.view, options, fresh.get(turn.view.id)))
    else rows.push({ kind: 'queued', key: turn.run.id, turn })
  }
  return rows
}

/**
 * Returns the rows of a run. `warnings` are shown in the run's header; without them no header is
 * added, because the panel's header shows the same data.
 */
export function rowsOfRun(
  view: RunView,
  options: Options,
  warnings?: readonly Warning[],
): readonly Row[] {
  const items = itemsOf(view)
  const isInput = (item: Item): boolean => item.kind === 'input' && item.by === undefined
  const firstOutput = items.findIndex((item) => !isInput(item))
  const inputs = items.slice(0, firstOutput < 0 ? items.length : firstOutput)
  const rows: Row[] = inputs.map((item) => ({ kind: 'item', key: item.key, item, view }))
  if (warnings) rows.push({ kind: 'head', key: `${view.id}-head`, view, warnings })
  if (view.todos.length > 0) rows.push({ kind: 'todos', key: `${view.id}-todos`, view })
  rows.push(...groupedRows(items.slice(inputs.length), view, options))
  rows.push({ kind: 'foot', key: `${view.id}-foot`, view })
  return rows
}

/** Maximum number of consecutive subagents that are shown expanded. */
const OPEN_CARDS = 6

const isSubagent = (item: Item): item is Call => item.kind === 'call' && item.child !== undefined

function groupedRows(items: readonly Item[], view: RunView, options: Options): readonly Row[] {
  const rows: Row[] = []
  for (let at = 0; at < items.length; ) {
    const item = items[at]
    if (!item) break
    const end = items.findIndex((candidate, index) => index >= at && !isSubagent(candidate))
    const group = items.slice(at, end < 0 ? items.length : end).filter(isSubagent)
    if (group.length > OPEN_CARDS) rows.push(...foldCalls(group, view, options))
    else if (group.length > 0) rows.push(...group.map((call) => rowOf(call, view)))
    else rows.push(rowOf(item, view))
    at += Math.max(1, group.length)
  }
  return rows
}

const rowOf = (item: Item, view: RunView): Row => ({ kind: 'item', key: item.key, item, view })

const needsPerson = (tree: Tree, run: string): boolean =>
  pendingIn(tree, run).length > 0 || questionsIn(tree, run).length > 0

/** Collapses groups of subagents, except groups that need a person. */
function foldCalls(group: readonly Call[], view: RunView, { tree, unfoldedAs }: Options): Row[] {
  const key = `${group[0]?.key}-folded`
  const value = unfoldedAs(key)
  const isShown = (call: Call, index: number): boolean => {
    const run = call.child?.run_id ?? ''
    if (index < OPEN_CARDS || value === '' || needsPerson(tree, run)) return true
    return value !== undefined && numbersOf(call, view, tree.runs[run]).state === value
  }
  const visibleRows = group.filter(isShown).map((call) => rowOf(call, view))
  return [...visibleRows, { kind: 'folded', key, calls: group.slice(OPEN_CARDS), view }]
}
