/** Renders a conversation: its turns, the composer, and the side panel. */

import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Live } from '../data/live.ts'
import { followAgain } from '../data/live.ts'
import { useMay } from '../data/session.ts'
import { titleOf } from '../data/session-title.ts'
import { useWords } from '../i18n/words.ts'
import { More } from '../kit/more.tsx'
import { Loading, Problem } from '../kit/notice.tsx'
import { useKeys } from '../kit/shortcuts.ts'
import { useTitle } from '../kit/title.ts'
import { EMPTY_TREE, endsRun, type Item, type RunView, type Tree } from '../log/shape.ts'
import { timeOfDay } from '../text/format.ts'
import type { Context, TurnActions } from '../transcript/context.ts'
import { useUnfoldedParts } from '../transcript/open-sections.ts'
import { RowView } from '../transcript/row-view.tsx'
import { rowsOf } from '../transcript/rows.ts'
import { ancestorsOf, pendingIn } from '../transcript/subagents.ts'
import { Transcript } from '../transcript/transcript.tsx'
import { type Turn, usePast, useTurns } from '../transcript/turns.ts'
import { ArchivedNotice } from './archive.tsx'
import { useChoice } from './choice.ts'
import { Composer } from './composer.tsx'
import { useFork } from './fork.ts'
import { ConversationHead } from './head.tsx'
import { usePanel } from './open.ts'
import { Panel } from './panel.tsx'
import { useRetry } from './send.ts'

const TITLE_CHARACTERS = 80

export function Conversation({ id }: { readonly id: string }) {
  const words = useWords()
  const past = usePast(id)
  const { turns, current, live, pages } = useTurns(id)
  const { panel, open, close } = usePanel()
  const { unfoldedAs } = useUnfoldedParts()
  const [choice, choose] = useChoice(id, turns.at(-1)?.run)
  const tree = useTree(turns, live)
  const archived = past.session?.archived ? past.session : undefined
  const rowContext = { past: past.items, turns, tree, choice, isArchived: archived !== undefined }
  const { actions, menu, error } = useActions(id, rowContext)
  const title = past.session ? titleOf(past.session) : ''
  const above = panel === undefined ? [] : ancestorsOf(tree, panel).slice(1)
  const back = (): void => {
    const parent = above.at(-1)
    if (parent) open(parent.id)
    else close()
  }
  useTitle(shortened(title))
  useKeys({ ...(panel !== undefined && { Escape: back }) })
  const context: Context = {
    ...{ tree, panel, onOpen: open, ...actions },
    keysFor: turns.flatMap(({ run }) => pendingIn(tree, run.id))[0],
  }
  return (
    <div className="relative flex h-full min-h-0 min-w-0 flex-1">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ConversationHead title={title} session={past.session} {...menu} />
        {pages.isPending && <Loading />}
        <Transcript
          label={words('chat.transcript')}
          rows={rowsOf(past.items, turns, { tree, unfoldedAs })}
          render={(row) => <RowView row={row} context={context} />}
          top={<Top pages={pages} from={past.session?.forked_from?.session_id} />}
        />
        <div className="mx-auto grid w-full max-w-3xl gap-2 px-4 sm:px-6">
          <Problem
            error={live.lostAt === undefined ? (past.error ?? pages.error) : null}
            onRetry={() => void pages.refetch()}
          />
          <Problem error={error} />
          <Problem
            error={live.error}
            onRetry={current ? () => followAgain(current.id) : undefined}
          />
          {live.lostAt !== undefined && (
            <p role="status" className="rounded-lg bg-late-tint px-3 py-1.5 text-xs text-late">
              {words('error.offline.since', { time: timeOfDay(live.lostAt) })}
            </p>
          )}
        </div>
        {archived && <ArchivedNotice session={archived} />}
        {(!archived || current) && (
          <Composer
            draft={id}
            session={id}
            current={current && (tree.runs[current.id] ?? current)}
            choice={choice}
            onChoice={choose}
          />
        )}
      </div>
      {panel !== undefined && (
        <Panel id={panel} tree={tree} onClose={close} context={{ ...context, ...IN_PANEL }} />
      )}
    </div>
  )
}

function shortened(title: string): string {
  const characters = [...title]
  if (characters.length <= TITLE_CHARACTERS) return title
  return `${characters.slice(0, TITLE_CHARACTERS - 1).join('')}…`
}

/** Subagents cannot be retried or forked. Keyboard shortcuts work only in the main conversation. */
const IN_PANEL = { onFork: undefined, turnActions: undefined, keysFor: undefined, isPanel: true }

interface RowContext {
  readonly past: readonly Item[]
  readonly turns: readonly Turn[]
  readonly tree: Tree
  readonly choice: ReturnType<typeof useChoice>[0]
  /** Whether the session is archived; the server then rejects new turns. */
  readonly isArchived: boolean
}

/** Returns the fork and retry actions that the scopes of the browser session permit. */
function useActions(id: string, { past, turns, tree, choice, isArchived }: RowContext) {
  const mayRun = useMay('runs:write')
  const mayFork = useMay('sessions:write')
  const fork = useFork(id)
  const retry = useRetry(id, choice)
  const last = turns.at(-1)?.run
  const all = [...past, ...turns.flatMap(({ view }) => endedItems(view))]
  const isFree = mayRun && !isArchived && last !== undefined && endsRun(last.status)
  const forkAt = (item: Item): void => {
    if (item.kind === 'call' || item.kind === 'note') return
    const at = turns.findIndex(({ view }) => view?.items.some(({ key }) => key === item.key))
    const { run, view } = turns[at] ?? {}
    const previousTurn = view?.items[0] === item ? turnBefore(turns, at) : undefined
    fork.mutate({ item, run: run?.id, before: previousTurn, all })
  }
  const turnActions = (run: string): TurnActions => {
    const view = tree.runs[run]
    const input = view?.items.find((candidate) => candidate.kind === 'input')
    const hasEnded = view !== undefined && endsRun(view.status)
    const canFork = mayFork && hasEnded && view.started_at !== undefined
    return {
      onRetry:
        isFree && hasEnded && input ? () => retry.mutate({ run, text: input.text }) : undefined,
      onFork: canFork ? () => fork.mutate({ run_id: run }) : undefined,
      onEdit: canFork && input ? () => forkAt(input) : undefined,
    }
  }
  const onRetry = last && turnActions(last.id).onRetry
  useKeys({ ...(onRetry && { r: onRetry }) })
  return {
    actions: {
      ...{ turnActions, lastTurn: last?.id, isRetrying: retry.isPending },
      onFork: mayFork ? forkAt : undefined,
    },
    menu: { onRetry, onFork: mayFork && all.length > 0 ? () => fork.mutate({}) : undefined },
    error: fork.error ?? retry.error,
  }
}

/** Returns the last turn with messages before this position. */
const turnBefore = (turns: readonly Turn[], at: number): string | undefined =>
  turns.slice(0, at).findLast(({ run }) => run.started_at !== null)?.run.id

const endedItems = (view: RunView | undefined): readonly Item[] =>
  view && endsRun(view.status) ? view.items : []

/** Loads older turns, or links to the conversation that this one was forked from. */
function Top({
  pages,
  from,
}: {
  readonly pages: ReturnType<typeof useTurns>['pages']
  readonly from: string | undefined
}) {
  const words = useWords()
  if (pages.hasNextPage) return <More of={pages} />
  if (from === undefined) return null
  return (
    <p className="pb-2 text-xs text-text-3">
      <Link to="/chat/$session" params={{ session: from }} className="underline">
        {words('chat.forked')}
      </Link>
    </p>
  )
}

/** Returns every run known to the page: the turns, and the descendants of the last followed run. */
function useTree(turns: readonly Turn[], live: Live): Tree {
  const previousTree = useRef<Tree>(EMPTY_TREE)
  if (live.tree !== EMPTY_TREE) {
    previousTree.current = { runs: { ...previousTree.current.runs, ...live.tree.runs } }
  }
  const views = turns.flatMap(({ view }) => (view ? [[view.id, view] as const] : []))
  return { runs: { ...previousTree.current.runs, ...Object.fromEntries(views) } }
}
