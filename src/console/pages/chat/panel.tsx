/**
 * The panel beside a conversation: a subagent with its own transcript, live, and those below it;
 * or a call with all of its arguments and its result.
 */

import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { api } from '../../app/api.ts'
import { useMay } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { followAgain, useLive } from '../../chat/live.ts'
import { type Called, endsRun, type RunView, statusOf, type Tree } from '../../chat/shape.ts'
import type { Turn } from '../../chat/turns.ts'
import { Status } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Code, lasted } from '../../ui/text.tsx'
import { Cut, MediaOf, useWhole } from './body.tsx'
import { InlineApproval } from './inline-approval.tsx'
import type { Opened } from './open.ts'
import { Outcome } from './outcome.tsx'
import { RowView } from './row-view.tsx'
import { rowsOf } from './rows.ts'
import { Since } from './since.tsx'
import { Transcript } from './transcript.tsx'
import { Numbers } from './turn-foot.tsx'

interface Props {
  readonly opened: Opened
  /** Runs that the page knows already: they are not read again. */
  readonly tree: Tree
  readonly onOpen: (run: string, call?: string) => void
  readonly onClose: () => void
}

export function Panel({ opened, tree, onOpen, onClose }: Props) {
  const words = useWords()
  const known = tree.runs[opened.run]
  const own = useLive(known ? undefined : opened.run)
  const all = known ? tree : own.tree
  const view = all.runs[opened.run]
  const above = Object.values(all.runs).find(({ items }) =>
    items.some((one) => one.kind === 'call' && one.child?.run_id === opened.run),
  )
  const call = view?.items.find(
    (one): one is Called => one.kind === 'call' && one.key === opened.call,
  )
  const ref = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is opened gets the focus.
  useEffect(() => ref.current?.focus(), [opened.run, opened.call])
  const isDeep = opened.call === undefined && above?.items.some((one) => one.kind === 'said')
  const back = opened.call ? opened.run : above?.id
  const isRoot = back !== undefined && isMain(all, back)
  return (
    <aside
      ref={ref}
      tabIndex={-1}
      aria-label={words('chat.panel')}
      className="fixed inset-0 z-30 flex min-h-0 flex-col border-line bg-page outline-none lg:static lg:z-auto lg:w-[480px] lg:shrink-0 lg:border-l"
    >
      <Head
        title={call ? (call.skill ?? call.tool) : (view?.label ?? view?.agent ?? '…')}
        onBack={back && !isRoot && (call || isDeep) ? () => onOpen(back) : undefined}
        onClose={onClose}
      >
        {call ? (
          <>
            <Outcome call={call} ended={endsRun(view?.status ?? '')} />
            {call.duration_ms !== undefined && <span>{lasted(call.duration_ms)}</span>}
          </>
        ) : (
          view && <RunNumbers view={view} />
        )}
      </Head>
      {!view && !own.error && <Loading />}
      {own.error !== undefined && (
        <div className="p-4">
          <Problem error={own.error} onRetry={() => followAgain(opened.run)} />
        </div>
      )}
      {view && call && <CallDetails call={call} view={view} />}
      {view && opened.call === undefined && <Below {...{ view, opened, onOpen }} tree={all} />}
    </aside>
  )
}

/** Whether a run stands in the conversation itself and needs no panel. */
const isMain = (tree: Tree, id: string): boolean =>
  !Object.values(tree.runs).some(({ items }) =>
    items.some((one) => one.kind === 'call' && one.child?.run_id === id),
  )

function Head({
  title,
  onBack,
  onClose,
  children,
}: {
  readonly title: string
  readonly onBack: (() => void) | undefined
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  const words = useWords()
  return (
    <header className="grid gap-1 border-b border-line bg-surface px-3 py-2">
      <div className="flex min-h-10 items-center gap-2">
        {onBack && <IconButton icon="left" label={words('chat.back')} onClick={onBack} />}
        <h2 className="min-w-0 flex-1 truncate px-1 text-base font-semibold">{title}</h2>
        <IconButton icon="close" label={words('close')} onClick={onClose} />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-1 text-xs text-muted tabular-nums">
        {children}
      </div>
    </header>
  )
}

function RunNumbers({ view }: { readonly view: RunView }) {
  const words = useWords()
  const may = useMay('runs:write')
  const stop = useMutation({
    mutationFn: () => api.runs.cancel(view.id, {}),
  })
  return (
    <>
      <Status status={statusOf(view)} />
      <Numbers view={view} />
      {may && !endsRun(view.status) && (
        <Button
          look="quiet"
          icon="stop"
          busy={stop.isPending}
          onClick={() => stop.mutate()}
          className="min-h-7 px-2 text-xs"
        >
          {words('chat.stop')}
        </Button>
      )}
      <Problem error={stop.error} />
    </>
  )
}

function Below({
  view,
  opened,
  tree,
  onOpen,
}: {
  readonly view: RunView
  readonly opened: Opened
  readonly tree: Tree
  readonly onOpen: Props['onOpen']
}) {
  const words = useWords()
  // Its row of the list is needed only where nothing is known of it yet.
  const turn = { run: { id: view.id } as Turn['run'], view }
  return (
    <Transcript
      key={view.id}
      label={words('chat.panel')}
      rows={rowsOf([], [turn])}
      render={(row) => <RowView {...{ row, tree, opened, onOpen }} last={undefined} />}
    />
  )
}

function CallDetails({ call, view }: { readonly call: Called; readonly view: RunView }) {
  const words = useWords()
  const given = useWhole(call.arguments, view.id)
  const result = useWhole(call.result ?? '', view.id)
  const { approval, child } = call
  const running = call.status === 'running' && !endsRun(view.status)
  return (
    <div tabIndex={0} className="grid min-h-0 flex-1 content-start gap-4 overflow-y-auto p-4">
      <Part title={words('approvals.arguments')}>
        <Code value={pretty(given.text)} label={words('approvals.arguments')} />
        <Cut body={call.arguments} missing={given.missing} />
      </Part>
      {call.status === 'unknown' && <p className="text-sm text-warn">{words('chat.unknown')}</p>}
      {approval && (
        <Part title={words('nav.approvals')}>
          <InlineApproval id={approval.id} />
        </Part>
      )}
      {running && (
        <p className="text-sm text-muted">
          {words('chat.call.running')} <Since at={call.since} />
        </p>
      )}
      {call.result !== undefined && !child && (
        <Part title={words('chat.result')}>
          <Code value={result.text} label={words('chat.result')} />
          <MediaOf body={call.result} run={view.id} />
          <Cut body={call.result} missing={result.missing} />
        </Part>
      )}
      {call.warnings?.map(({ code, message }) => (
        <p key={code} className="text-sm text-warn">
          {message}
        </p>
      ))}
    </div>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="grid min-w-0 gap-1.5">
      <h3 className="text-xs font-medium text-muted">{title}</h3>
      {children}
    </section>
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
