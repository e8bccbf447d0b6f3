/** One line of a conversation. */

import { useWords } from '../../app/words.ts'
import type { Item, Tree } from '../../chat/shape.ts'
import { Problem } from '../../ui/notice.tsx'
import { CallCard } from './call-card.tsx'
import { NoteItem, PastCall, SaidItem, ThoughtItem, WroteItem } from './items.tsx'
import type { Opened } from './open.ts'
import type { Row } from './rows.ts'
import { TurnFoot } from './turn-foot.tsx'

interface RowActions {
  readonly onOpen: (run: string, call?: string) => void
  readonly onFork?: ((item: Item) => void) | undefined
  readonly onRetry?: ((run: string) => void) | undefined
  readonly retrying?: boolean
}

interface Props extends RowActions {
  readonly row: Row
  readonly tree: Tree
  readonly opened: Opened | undefined
  /** The run whose turn is the last one. */
  readonly last: string | undefined
}

export function RowView({ row, tree, opened, last, ...actions }: Props) {
  const { onOpen, onFork, onRetry, retrying } = actions
  if (row.kind === 'asked') return <QueuedTurn row={row} />
  if (row.kind === 'foot') {
    const retry = row.view.id === last && onRetry ? () => onRetry(row.view.id) : undefined
    return (
      <TurnFoot
        view={row.view}
        onRetry={retry}
        retrying={retrying ?? false}
        bare={last === undefined}
      />
    )
  }
  const { item } = row
  if (item.kind === 'note') return <NoteItem item={item} />
  if (item.kind === 'call') {
    if (row.kind === 'past') return <PastCall item={item} />
    const chosen = item.child
      ? opened?.run === item.child.run_id
      : opened?.call === item.key && opened.run === row.view.id
    return <CallCard call={item} run={row.view} tree={tree} chosen={chosen} onOpen={onOpen} />
  }
  const run = row.kind === 'past' ? '' : row.view.id
  const fork = onFork && (() => onFork(item))
  if (item.kind === 'said') return <SaidItem item={item} run={run} onFork={fork} />
  if (item.kind === 'thought') return <ThoughtItem item={item} run={run} />
  return <WroteItem item={item} run={run} onFork={fork} />
}

function QueuedTurn({ row: { turn } }: { readonly row: Extract<Row, { kind: 'asked' }> }) {
  const words = useWords()
  const { run, error } = turn
  const waits = run.status === 'queued' || run.status === 'waiting'
  return (
    <div className="grid gap-3 pb-4">
      <SaidItem item={{ kind: 'said', key: run.id, text: run.input }} run={run.id} />
      <Problem error={error} />
      {waits && (
        <p role="status" className="text-sm text-muted">
          {words(run.waiting_on === 'session' ? 'chat.waits.session' : 'chat.queued')}
        </p>
      )}
    </div>
  )
}
