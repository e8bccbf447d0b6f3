/** Side panel of a conversation: a subagent's transcript and the subagents it started. */

import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '../data/api.ts'
import { followAgain, useLive } from '../data/live.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { IconButton } from '../kit/button.tsx'
import { Loading, Problem } from '../kit/notice.tsx'
import { endsRun, type RunView, type Tree } from '../log/shape.ts'
import { realWarnings } from '../log/warnings.ts'
import { Plain } from '../text/text.tsx'
import type { Context } from '../transcript/context.ts'
import { useUnfoldedParts } from '../transcript/open-sections.ts'
import { RowView } from '../transcript/row-view.tsx'
import { rowsOfRun } from '../transcript/rows.ts'
import { ancestorsOf } from '../transcript/subagents.ts'
import { Transcript } from '../transcript/transcript.tsx'
import { RunNumbers, Warnings } from '../transcript/turn-head.tsx'
import { Composer } from './composer.tsx'

interface Props {
  readonly id: string
  /** Runs that the page already follows, as a tree. */
  readonly tree: Tree
  readonly context: Context
  readonly onClose: () => void
}

export function Panel({ id, tree, context, onClose }: Props) {
  const words = useWords()
  const { unfoldedAs } = useUnfoldedParts()
  // The stream of a root run includes its descendants. A run of an older turn is followed
  // separately.
  const liveRun = useLive(tree.runs[id] ? undefined : id)
  const fullTree = tree.runs[id] ? tree : { runs: { ...tree.runs, ...liveRun.tree.runs } }
  const view = fullTree.runs[id]
  const ref = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run that is opened gets the focus.
  useEffect(() => ref.current?.focus({ preventScroll: true }), [id])
  return (
    <aside
      ref={ref}
      tabIndex={-1}
      aria-label={words('panel.label')}
      className="fixed inset-0 z-30 flex min-h-0 flex-col bg-canvas outline-none md:absolute md:left-auto md:w-[480px] md:border-l md:border-line md:shadow-float xl:static xl:z-auto xl:shrink-0 xl:shadow-none"
    >
      <Head view={view} ancestors={ancestorsOf(fullTree, id)} {...{ context, onClose }} />
      {!view && !liveRun.error && <Loading />}
      {liveRun.error !== undefined && (
        <div className="p-4">
          <Problem error={liveRun.error} onRetry={() => followAgain(id)} />
        </div>
      )}
      {view && (
        <>
          <Transcript
            key={id}
            label={words('panel.label')}
            rows={rowsOfRun(view, { tree: fullTree, unfoldedAs })}
            render={(row) => <RowView row={row} context={{ ...context, tree: fullTree }} />}
          />
          {!endsRun(view.status) && (
            <Composer draft={id} current={view} name={view.label ?? view.agent ?? ''} />
          )}
        </>
      )}
    </aside>
  )
}

interface HeadProps {
  readonly view: RunView | undefined
  readonly ancestors: readonly RunView[]
  readonly context: Context
  readonly onClose: () => void
}

function Head({ view, ancestors, context, onClose }: HeadProps) {
  const words = useWords()
  // The main conversation already shows the root run.
  const above = ancestors.slice(1)
  return (
    <header className="grid gap-1 border-b border-line px-4 py-2">
      <div className="flex min-h-8 items-center gap-1">
        <h2 className="flex min-w-0 flex-1 items-center gap-1 truncate text-lg font-semibold">
          {above.map(({ id, label, agent = '' }) => (
            <span key={id} className="flex min-w-0 items-center gap-1 font-normal text-text-2">
              <button
                type="button"
                onClick={() => context.onOpen(id)}
                aria-label={words('panel.back', { name: label ?? agent })}
                className="truncate rounded-md hover:text-text hover:underline"
              >
                <Plain text={label ?? agent} />
              </button>
              <span aria-hidden="true">›</span>
            </span>
          ))}
          <span className="truncate">
            <Plain text={view?.label ?? view?.agent ?? '…'} />
          </span>
        </h2>
        {view && !endsRun(view.status) && <StopButton run={view.id} />}
        <IconButton icon="close" label={words('close')} onClick={onClose} />
      </div>
      {view && (
        <>
          <p className="flex flex-wrap items-center gap-x-3 text-xs text-text-3">
            <RunNumbers view={view} />
          </p>
          <Warnings run={view.id} warnings={realWarnings(view)} />
        </>
      )}
    </header>
  )
}

function StopButton({ run }: { readonly run: string }) {
  const words = useWords()
  const may = useMay('runs:write')
  const stop = useMutation({ mutationFn: () => api.runs.cancel(run, {}) })
  if (!may) return null
  return (
    <>
      <IconButton
        icon="stop"
        label={words('chat.stop')}
        disabled={stop.isPending}
        onClick={() => stop.mutate()}
      />
      <Problem error={stop.error} />
    </>
  )
}
