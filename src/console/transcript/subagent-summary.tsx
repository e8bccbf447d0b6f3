/** Collapsed subagents, counted by state; clicking a state expands the subagents in that state. */

import { useWords } from '../i18n/words.ts'
import { type State, StateIcon } from '../kit/status.tsx'
import type { Tree } from '../log/shape.ts'
import { useUnfoldedParts } from './open-sections.ts'
import type { Row } from './rows.ts'
import { numbersOf } from './subagents.ts'

interface Props {
  readonly row: Extract<Row, { kind: 'folded' }>
  readonly tree: Tree
}

export function FoldedSubagents({ row, tree }: Props) {
  const words = useWords()
  const { unfoldedAs, unfold } = useUnfoldedParts()
  const { key, calls, view } = row
  const value = unfoldedAs(key)
  const counts = new Map<State, number>()
  for (const call of calls) {
    const { state } = numbersOf(call, view, tree.runs[call.child?.run_id ?? ''])
    counts.set(state, (counts.get(state) ?? 0) + 1)
  }
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-1 text-xs text-text-2">
      {[...counts].map(([state, count]) => (
        <button
          key={state}
          type="button"
          aria-pressed={value === state}
          title={words(`status.${state}`)}
          onClick={() => unfold(key, value === state ? undefined : state)}
          className={`inline-flex min-h-6 items-center gap-1 rounded-md px-1.5 hover:bg-sunken ${value === state ? 'bg-selected' : ''}`}
        >
          <StateIcon state={state} size={12} />
          {count}
        </button>
      ))}
      <button
        type="button"
        aria-expanded={value === ''}
        onClick={() => unfold(key, value === '' ? undefined : '')}
        className="rounded-md px-1.5 py-0.5 text-accent hover:bg-sunken"
      >
        {value === '' ? words('chat.subagents.less') : words('chat.subagents', { n: calls.length })}
      </button>
    </div>
  )
}
