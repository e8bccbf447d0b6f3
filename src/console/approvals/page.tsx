/** Page of approvals: calls that wait for a decision, questions that wait for an answer, and the past. */

import { Link, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { More } from '../kit/more.tsx'
import { Forbidden, Loading, PollProblem } from '../kit/notice.tsx'
import { OfflineLine } from '../kit/offline-line.tsx'
import { useKeys } from '../kit/shortcuts.ts'
import { useTitle } from '../kit/title.ts'
import { withMark, withRange } from '../runs/marks.ts'
import { Code, Inline } from '../text/text.tsx'
import { ApprovalDetail } from './detail.tsx'
import { ApproveMarked, MarkedBar } from './marked.tsx'
import { QuestionDetail } from './question.tsx'
import { ApprovalRow, QuestionRow } from './row.tsx'
import { approvalSearch, type Tab } from './selection.ts'
import { type Approval, useApprovals, useSelection } from './use-approvals.ts'

export default function Approvals() {
  const words = useWords()
  const may = useMay('approvals:read')
  // The router also passes parameters that the route has dropped.
  const { tab, sel } = approvalSearch(useSearch({ strict: false }))
  if (may) return <ApprovalList key={tab} tab={tab ?? 'pending'} selection={sel} />
  return (
    <div className="grid gap-3 p-4">
      <h1 className="text-xl font-semibold">{words('approvals.title')}</h1>
      <Forbidden scope="approvals:read" />
    </div>
  )
}

interface PageProps {
  readonly tab: Tab
  readonly selection: string | undefined
}

function ApprovalList({ tab, selection }: PageProps) {
  const words = useWords()
  const lists = useApprovals(tab)
  const { approvals, questions, countText, noteDecided } = lists
  const ids = [...approvals, ...questions].map(({ id }) => id)
  const { select, move, leave } = useSelection(ids, selection)
  const marks = useMarks(approvals, tab)
  const [isApproving, setApproving] = useState(false)
  const [last, setLast] = useState('')
  const title = words('approvals.title')
  useTitle(title)
  useKeys({
    ...{ j: () => move(1), k: () => move(-1) },
    x: marks.isOffered ? () => marks.mark(selection, false) : undefined,
    X: marks.isOffered ? () => marks.mark(selection, true) : undefined,
    A: marks.marked.length > 0 ? () => setApproving(true) : undefined,
  })
  const onDecided = ({ id, tool, status }: Approval): void => {
    if (status !== 'pending')
      setLast(words('approvals.last', { tool, status: words(`approval.${status}`) }))
    noteDecided([id])
    marks.remove([id])
    leave(id)
  }
  const isOpen = selection !== undefined
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header
        className={`flex flex-wrap items-center gap-x-4 border-line px-4 ${isOpen ? 'md:border-b' : 'border-b'}`}
      >
        <h1 className="sr-only text-xl font-semibold lg:not-sr-only">{title}</h1>
        <Tabs tab={tab} countText={countText} isHidden={isOpen} />
        {tab === 'pending' && (
          <p className="ml-auto hidden text-xs text-text-3 xl:block pointer-coarse:hidden">
            <Inline text={words('approvals.shortcuts')} />
          </p>
        )}
      </header>
      <OfflineLine />
      <div className="flex min-h-0 flex-1">
        <div
          className={`min-h-0 w-full flex-col md:flex md:w-2/5 md:max-w-xl md:border-r md:border-line ${isOpen ? 'hidden' : 'flex'}`}
        >
          <List {...{ lists, selection, marks }} tab={tab} onSelect={select} />
          {last !== '' && (
            <p
              role="status"
              className="border-t border-line px-4 py-1.5 text-xs text-text-2 [overflow-wrap:anywhere]"
            >
              {last}
            </p>
          )}
          <MarkedBar
            count={marks.marked.length}
            missingCount={marks.ids.size - marks.marked.length}
            onUnmark={marks.clear}
            onApprove={() => setApproving(true)}
          />
        </div>
        <Detail
          selection={selection}
          isEmpty={ids.length === 0}
          onBack={() => select(undefined, true)}
          onDecided={onDecided}
          onAnswered={(id) => {
            setLast(words('approvals.question.sent'))
            leave(id)
          }}
        />
      </div>
      {isApproving && (
        <ApproveMarked
          approvals={marks.marked}
          onDecided={(decided) => {
            noteDecided(decided)
            marks.remove(decided)
            if (selection !== undefined && decided.includes(selection))
              select(
                ids.find((id) => !decided.includes(id)),
                true,
              )
          }}
          onClose={() => setApproving(false)}
        />
      )}
    </div>
  )
}

function useMarks(approvals: readonly Approval[], tab: Tab) {
  const may = useMay('approvals:write')
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef<string>(undefined)
  return {
    isOffered: may && tab === 'pending',
    ids,
    marked: approvals.filter(({ id }) => ids.has(id)),
    clear: () => setIds(new Set()),
    remove: (decided: readonly string[]) =>
      setIds((all) => new Set([...all].filter((id) => !decided.includes(id)))),
    mark: (id: string | undefined, isRange: boolean) => {
      const order = approvals.map((approval) => approval.id)
      if (id === undefined || !order.includes(id)) return
      setIds(isRange ? withRange(ids, order, [anchor.current, id]) : withMark(ids, id))
      anchor.current = id
    },
  }
}

interface TabsProps {
  readonly tab: Tab
  readonly countText: string
  /** Whether the detail covers the tabs on narrow pages. */
  readonly isHidden: boolean
}

function Tabs({ tab, countText, isHidden }: TabsProps) {
  const words = useWords()
  return (
    <nav
      aria-label={words('approvals.tabs')}
      className={`gap-1 ${isHidden ? 'hidden md:flex' : 'flex'}`}
    >
      {(['pending', 'decided'] as const).map((name) => (
        <Link
          key={name}
          to="/approvals"
          search={name === 'decided' ? { tab: name } : {}}
          // Without `exact`, the router also marks the tab that has no search parameters.
          activeOptions={{ exact: true }}
          aria-current={name === tab ? 'page' : undefined}
          className={`-mb-px inline-flex min-h-10 items-center border-b-2 px-2 text-sm pointer-coarse:min-h-11 ${
            name === tab
              ? 'border-accent font-medium text-text'
              : 'border-transparent text-text-2 hover:text-text'
          }`}
        >
          {words(`approvals.tab.${name}`)}
          {name === 'pending' && <span className="pl-1 text-text-3">{countText}</span>}
        </Link>
      ))}
    </nav>
  )
}

interface ListProps {
  readonly lists: ReturnType<typeof useApprovals>
  readonly tab: Tab
  readonly selection: string | undefined
  readonly marks: ReturnType<typeof useMarks>
  readonly onSelect: (id: string) => void
}

function List({ lists, tab, selection, marks, onSelect }: ListProps) {
  const words = useWords()
  const { approvals, pages, questions, questionsError, questionsText } = lists
  const mayReadRuns = useMay('runs:read')
  const isEmpty = approvals.length === 0 && questions.length === 0
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {pages.isPending && <Loading />}
      {pages.isSuccess && isEmpty && !pages.hasNextPage && <Empty tab={tab} />}
      <ul aria-label={words(`approvals.tab.${tab}`)}>
        {approvals.map((approval) => (
          <ApprovalRow
            key={approval.id}
            approval={approval}
            isSelected={approval.id === selection}
            isMarked={marks.ids.has(approval.id)}
            onSelect={() => onSelect(approval.id)}
            onMark={marks.isOffered ? (isRange) => marks.mark(approval.id, isRange) : undefined}
          />
        ))}
      </ul>
      <div className="px-4">
        <More of={pages} />
        <PollProblem
          error={tab === 'pending' ? questionsError : undefined}
          hasData={lists.hasQuestions}
        />
      </div>
      {questions.length > 0 && (
        <>
          <h2 id="questions" className="px-4 pt-4 pb-1 text-xs font-medium text-text-2">
            {words('approvals.questions')}{' '}
            <span className="font-normal text-text-3">{questionsText}</span>
          </h2>
          <ul aria-labelledby="questions" className="border-t border-line">
            {questions.map((run) => (
              <QuestionRow
                key={run.id}
                run={run}
                isSelected={run.id === selection}
                onSelect={() => onSelect(run.id)}
              />
            ))}
          </ul>
        </>
      )}
      {tab === 'pending' && !mayReadRuns && (
        <div className="grid gap-1 px-4 py-3">
          <h2 className="text-xs font-medium text-text-2">{words('approvals.questions')}</h2>
          <Forbidden scope="runs:read" />
        </div>
      )}
    </div>
  )
}

function Empty({ tab }: { readonly tab: Tab }) {
  const words = useWords()
  if (tab === 'decided')
    return <p className="p-4 text-text-2">{words('approvals.empty.decided')}</p>
  return (
    <div className="grid gap-3 p-4">
      <p className="text-text-2">{words('approvals.empty')}</p>
      <p className="text-sm text-text-2">{words('approvals.empty.hint')}</p>
      <Code label="policy" text={'{ "approvals": { "file_write": "ask" } }'} />
    </div>
  )
}

interface DetailProps {
  readonly selection: string | undefined
  readonly isEmpty: boolean
  readonly onBack: () => void
  readonly onDecided: (approval: Approval) => void
  readonly onAnswered: (id: string) => void
}

function Detail({ selection, isEmpty, onBack, onDecided, onAnswered }: DetailProps) {
  const words = useWords()
  return (
    <section
      aria-label={words('approvals.title')}
      className={`min-h-0 min-w-0 flex-1 overflow-y-auto ${selection === undefined ? 'hidden md:block' : ''}`}
    >
      <div className="grid max-w-3xl gap-3 p-4">
        <div className="md:hidden">
          <Button look="quiet" icon="left" onClick={onBack}>
            {words('approvals.back')}
          </Button>
        </div>
        {selection === undefined ? (
          !isEmpty && <p className="text-sm text-text-2">{words('approvals.select')}</p>
        ) : selection.startsWith('run_') ? (
          <QuestionDetail key={selection} id={selection} onAnswered={() => onAnswered(selection)} />
        ) : (
          <ApprovalDetail key={selection} id={selection} onDecided={onDecided} />
        )}
      </div>
    </section>
  )
}
