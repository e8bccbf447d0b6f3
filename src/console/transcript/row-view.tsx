/** Renders a row of a conversation. */

import { useWords } from '../i18n/words.ts'
import { Problem } from '../kit/notice.tsx'
import { Status } from '../kit/status.tsx'
import { endsRun } from '../log/shape.ts'
import { CallCard } from './call-card.tsx'
import type { Context } from './context.ts'
import { InputItem, NoteItem, OutputItem, ReasoningItem } from './items.tsx'
import { PastCall } from './past-call.tsx'
import type { Row } from './rows.ts'
import { FoldedSubagents } from './subagent-summary.tsx'
import { Todos } from './todos.tsx'
import { TurnFoot } from './turn-foot.tsx'
import { TurnHead } from './turn-head.tsx'

export function RowView({ row, context }: { readonly row: Row; readonly context: Context }) {
  switch (row.kind) {
    case 'queued':
      return <QueuedTurn row={row} />
    case 'head':
      return (
        <TurnHead
          view={row.view}
          warnings={row.warnings}
          actions={context.turnActions?.(row.view.id)}
        />
      )
    case 'todos':
      return <Todos todos={row.view.todos} />
    case 'folded':
      return <FoldedSubagents row={row} tree={context.tree} />
    case 'foot':
      return (
        <TurnFoot
          view={row.view}
          onRetry={
            row.view.id === context.lastTurn
              ? context.turnActions?.(row.view.id).onRetry
              : undefined
          }
          isRetrying={context.isRetrying ?? false}
        />
      )
    default:
      return <ItemRow row={row} context={context} />
  }
}

interface ItemProps {
  readonly row: Extract<Row, { kind: 'past' | 'item' }>
  readonly context: Context
}

function ItemRow({ row, context }: ItemProps) {
  const { item } = row
  const { onFork } = context
  if (item.kind === 'note') return <NoteItem item={item} />
  if (item.kind === 'call') {
    if (row.kind === 'past') return <PastCall call={item} />
    return <CallCard call={item} run={row.view} context={context} />
  }
  // The past messages of a session belong to ended runs only.
  const hasEnded = row.kind === 'past' || endsRun(row.view.status)
  const text = {
    item,
    run: row.kind === 'past' ? '' : row.view.id,
    onFork: onFork && hasEnded ? () => onFork(item) : undefined,
  }
  if (item.kind === 'input')
    return <InputItem {...text} item={item} isTask={context.isPanel ?? false} />
  if (item.kind === 'reasoning') return <ReasoningItem {...text} />
  return <OutputItem {...text} />
}

function QueuedTurn({ row: { turn } }: { readonly row: Extract<Row, { kind: 'queued' }> }) {
  const words = useWords()
  const { run, error } = turn
  const isWaiting = run.status === 'queued' || run.status === 'waiting'
  return (
    <div className="grid gap-3 pb-2">
      <InputItem
        item={{ kind: 'input', key: run.id, text: run.input, at: run.created_at }}
        run={run.id}
      />
      <Problem error={error} />
      {isWaiting && (
        <p role="status" className="flex items-center gap-2 text-sm text-text-2">
          <Status state="queued" />
          {run.waiting_on === 'session' && words('chat.waits.session')}
        </p>
      )}
    </div>
  )
}
