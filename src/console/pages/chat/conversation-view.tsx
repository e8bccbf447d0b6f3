/** One conversation: its turns, where one writes, and the panel beside them. */

import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useMay } from '../../app/session.ts'
import { isCovered } from '../../app/shortcuts.ts'
import { useTitle } from '../../app/title.ts'
import { useWords } from '../../app/words.ts'
import { followAgain, type Live } from '../../chat/live.ts'
import { useRetry } from '../../chat/send.ts'
import { endsRun, NOTHING, type RunView, type Tree } from '../../chat/shape.ts'
import { type Turn, usePast, useTurns } from '../../chat/turns.ts'
import { IconButton } from '../../ui/button.tsx'
import { More } from '../../ui/more.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { useChoice } from './choice.ts'
import { Composer } from './composer.tsx'
import { useFork } from './fork.ts'
import { type Opened, useOpen } from './open.ts'
import { Panel } from './panel.tsx'
import { RowView } from './row-view.tsx'
import { type Row, rowsOf } from './rows.ts'
import { titleOf } from './sidebar.tsx'
import { Transcript } from './transcript.tsx'

/** Of an opening, in the title of the tab. */
const TITLE = 80

interface Props {
  readonly id: string
  readonly onMenu: () => void
}

export function Conversation({ id, onMenu }: Props) {
  const words = useWords()
  const past = usePast(id)
  const { turns, current, live, pages } = useTurns(id)
  const { opened: named, openRun, openCall, close } = useOpen()
  const [choice, choose] = useChoice(id, turns.at(-1)?.run)
  const tree = useKnown(turns, live)
  const opened = named && shownFor(named, tree)
  const rows = rowsOf(past.items, turns)
  const last = turns.at(-1)?.run.id
  const fork = useFork(id)
  const retry = useRetry(id, choice)
  const may = useMay('runs:write')
  useTitle(past.session ? titleOf(past.session).slice(0, TITLE) : words('run.session'))
  useEscape(opened ? close : undefined)
  const onOpen = (run: string, call?: string): void => (call ? openCall(run, call) : openRun(run))
  const onRetry = (run: string): void => {
    const said = tree.runs[run]?.items.find((one) => one.kind === 'said')
    if (said?.kind === 'said') retry.mutate({ run, said: said.text })
  }
  const all = [...past.items, ...turns.flatMap(({ view }) => ended(view))]
  const render = (row: Row) => {
    const isOver = row.kind === 'past' || (row.kind === 'item' && endsRun(row.view.status))
    const onFork =
      may && isOver ? (item: (typeof all)[number]) => fork.mutate({ item, all }) : undefined
    const again = may && !current ? onRetry : undefined
    return (
      <RowView
        {...{ row, tree, opened, last, onOpen, onFork }}
        onRetry={again}
        retrying={retry.isPending}
      />
    )
  }
  return (
    <>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <header className="flex min-h-12 items-center gap-2 border-b border-line bg-surface px-2 sm:px-4">
          <span className={opened ? '2xl:hidden' : 'lg:hidden'}>
            <IconButton icon="menu" label={words('chat.sessions')} onClick={onMenu} />
          </span>
          <h1 className="min-w-0 flex-1 truncate text-sm font-semibold">
            {past.session ? titleOf(past.session) : ' '}
          </h1>
        </header>
        {pages.isPending && <Loading />}
        <Transcript
          label={words('chat.transcript')}
          rows={rows}
          render={render}
          top={<Top pages={pages} from={past.session?.forked_from?.session_id} />}
        />
        <div className="mx-auto grid w-full max-w-3xl gap-2 px-3 sm:px-6">
          <Problem
            error={live.lost ? null : (past.error ?? pages.error)}
            onRetry={() => void pages.refetch()}
          />
          <Problem error={fork.error ?? retry.error} />
          <Problem
            error={live.error}
            onRetry={current ? () => followAgain(current.id) : undefined}
          />
          {live.lost && (
            <p role="status" className="rounded-lg bg-warn-soft px-3 py-1.5 text-xs text-warn">
              {words('error.offline')}
            </p>
          )}
        </div>
        <Composer
          session={id}
          current={current?.id}
          choice={choice}
          onChoice={choose}
          onSession={() => {}}
        />
      </div>
      {opened && <Panel {...{ opened, tree, onOpen }} onClose={close} />}
    </>
  )
}

/** The way back: turns not read yet, or the conversation that this one goes on from. */
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
    <p className="pb-4 text-center text-xs text-muted">
      <Link to="/chat/$session" params={{ session: from }} className="underline">
        {words('chat.forked')}
      </Link>
    </p>
  )
}

/** A call that has become a subagent is shown as one. */
function shownFor(opened: Opened, tree: Tree): Opened {
  const call = tree.runs[opened.run]?.items.find(({ key }) => key === opened.call)
  const child = call?.kind === 'call' ? call.child : undefined
  return child ? { run: child.run_id, call: undefined } : opened
}

const ended = (view: RunView | undefined) => (view && endsRun(view.status) ? view.items : [])

/** Every run that the page knows: of the turns, and below the one that was followed last. */
function useKnown(turns: readonly Turn[], live: Live): Tree {
  const kept = useRef<Tree>(NOTHING)
  if (live.tree !== NOTHING) kept.current = live.tree
  const views = turns.flatMap(({ view }) => (view ? [[view.id, view] as const] : []))
  return { runs: { ...kept.current.runs, ...Object.fromEntries(views) } }
}

function useEscape(act: (() => void) | undefined): void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    const onKey = ({ key, defaultPrevented }: KeyboardEvent): void => {
      if (key !== 'Escape' || defaultPrevented || isCovered()) return
      latest.current?.()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
