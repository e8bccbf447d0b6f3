/** Header of a run's page: what the run is, its numbers, and the actions on it. */

import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, queries, type Schemas } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Icon } from '../kit/icons.tsx'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { Problem } from '../kit/notice.tsx'
import { useKeys } from '../kit/shortcuts.ts'
import { Status } from '../kit/status.tsx'
import { endsRun, type RunView } from '../log/shape.ts'
import { amount, dollars, duration } from '../text/format.ts'
import { Plain } from '../text/text.tsx'
import { Since } from '../transcript/elapsed-time.tsx'
import { Warnings } from '../transcript/turn-head.tsx'
import { RunAgain } from './again.tsx'
import { Outage } from './outage.tsx'
import { RunLink } from './run-link.tsx'

interface Props {
  readonly run: Schemas['Run']
  /** View of the run's events; undefined until the first event has arrived. */
  readonly view: RunView | undefined
}

export function RunHead({ run, view }: Props) {
  const words = useWords()
  const isLive = !endsRun(run.status)
  return (
    <header className="grid grid-cols-[minmax(0,1fr)] gap-1.5 px-4 pt-3 pb-2 sm:px-6">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-2">
        <Link
          to="/runs"
          aria-label={words('runs.title')}
          title={words('runs.title')}
          className="-ml-1.5 inline-flex size-7 shrink-0 items-center justify-center rounded-md text-text-2 hover:bg-sunken pointer-coarse:size-11"
        >
          <Icon name="left" />
        </Link>
        <h1 className="flex min-w-0 flex-1 basis-52 items-baseline gap-2 text-lg font-semibold">
          <span className="max-w-[70%] shrink-0 truncate max-sm:max-w-full">
            <Plain text={run.label ?? run.agent} />
          </span>
          <span className="min-w-0 truncate text-sm font-normal text-text-2">
            <Plain text={run.input} />
          </span>
        </h1>
        <Actions run={run} isLive={isLive} />
      </div>
      <p className="flex flex-wrap items-center gap-x-3 text-xs text-text-2">
        <Status state={stateOf(run)} />
        <Numbers run={run} isLive={isLive} />
        <span className="font-mono text-text-3">{run.model ?? ''}</span>
        <Ancestors run={run} />
      </p>
      {run.error && (
        <p className="rounded-md bg-failed-tint px-3 py-1.5 text-xs text-failed [overflow-wrap:anywhere]">
          <Plain text={run.error.message} /> <code className="font-mono">{run.error.code}</code>
        </p>
      )}
      {run.outage && <Outage id={run.id} outage={run.outage} />}
      {view && <Warnings run={run.id} warnings={view.warnings} />}
    </header>
  )
}

const stateOf = ({ status, waiting_on }: Schemas['Run']): string =>
  status === 'waiting' && (waiting_on === 'approval' || waiting_on === 'input') ? 'asks' : status

function Ancestors({ run }: { readonly run: Schemas['Run'] }) {
  const words = useWords()
  const { parent_run_id: parent, root_run_id: root, session_id } = run
  if (!parent) {
    return (
      <Link
        to="/chat/$session"
        params={{ session: session_id }}
        className="text-accent hover:underline"
      >
        {words('run.conversation')}
      </Link>
    )
  }
  return (
    <span className="flex gap-3">
      {root !== parent && <RunLink run={root} text={words('run.root')} />}
      <RunLink run={parent} text={words('run.parent')} />
    </span>
  )
}

function Numbers({ run, isLive }: { readonly run: Schemas['Run']; readonly isLive: boolean }) {
  const words = useWords()
  const { steps, usage, started_at, ended_at, children } = run
  const tokens = usage.input_tokens + usage.output_tokens
  const ms = started_at && ended_at ? Date.parse(ended_at) - Date.parse(started_at) : undefined
  const subagents = children.total
  return (
    <>
      {started_at && isLive && <Since at={started_at} />}
      {ms !== undefined && <span>{duration(ms)}</span>}
      <span>{words('chat.steps', { n: steps })}</span>
      {subagents > 0 && <span>{words('run.subagents', { n: subagents })}</span>}
      {tokens > 0 && <span>{words('chat.tokens', { n: amount(tokens) })}</span>}
      {run.cost !== null && <span>{dollars(run.cost)}</span>}
    </>
  )
}

function Actions({ run, isLive }: { readonly run: Schemas['Run']; readonly isLive: boolean }) {
  const words = useWords()
  const mayWrite = useMay('runs:write')
  const [open, setOpen] = useState<'again' | 'stop'>()
  const navigate = useNavigate()
  const close = (): void => setOpen(undefined)
  const go = (to: string | null): (() => void) | undefined =>
    to === null ? undefined : () => void navigate({ to: '/runs/$run', params: { run: to } })
  useKeys({
    y: () => void navigator.clipboard.writeText(run.id),
    Y: () => void navigator.clipboard.writeText(location.href),
    p: go(run.parent_run_id),
    t: go(run.parent_run_id && run.root_run_id),
  })
  return (
    <span className="flex items-center gap-1.5">
      {mayWrite && (
        <Button icon="retry" onClick={() => setOpen('again')}>
          {words('run.again')}
        </Button>
      )}
      <Menu icon="copy" label={words('copy')}>
        <MenuItem onChoose={() => void navigator.clipboard.writeText(run.id)}>
          {words('run.copy.id')}
        </MenuItem>
        <MenuItem onChoose={() => void navigator.clipboard.writeText(location.href)}>
          {words('run.copy.link')}
        </MenuItem>
      </Menu>
      {mayWrite && isLive && (
        <Button icon="stop" onClick={() => setOpen('stop')}>
          {words('chat.stop')}
        </Button>
      )}
      <Dialog wide open={open === 'again'} title={words('run.again')} onClose={close}>
        <RunAgain id={run.id} />
      </Dialog>
      <Dialog open={open === 'stop'} title={words('run.stop')} onClose={close}>
        <Stop run={run} onClose={close} />
      </Dialog>
    </span>
  )
}

interface StopProps {
  readonly run: Schemas['Run']
  readonly onClose: () => void
}

function Stop({ run, onClose }: StopProps) {
  const words = useWords()
  const { live } = run.children
  const stop = useMutation({
    mutationFn: (isOfChildren: boolean): Promise<unknown> =>
      isOfChildren ? api.runs.cancelChildren(run.id) : api.runs.cancel(run.id, {}),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['run', run.id] })
      onClose()
    },
  })
  return (
    <div className="grid gap-4">
      <p className="text-sm">
        {live === 0 ? words('run.stop.alone') : words('run.stop.text', { n: live })}
      </p>
      <Problem error={stop.error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{words('cancel')}</Button>
        {live > 0 && (
          <Button busy={stop.isPending} onClick={() => stop.mutate(true)}>
            {words('run.stop.children')}
          </Button>
        )}
        <Button look="danger" busy={stop.isPending} onClick={() => stop.mutate(false)}>
          {words('chat.stop')}
        </Button>
      </div>
    </div>
  )
}
