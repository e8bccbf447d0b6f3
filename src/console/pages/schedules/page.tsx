/** Schedules: when each runs next, what became of the last times, and the switch of each. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Schemas } from '../../app/api.ts'
import { useMay } from '../../app/session.ts'
import { useWish } from '../../app/wish.ts'
import { useWords } from '../../app/words.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { More, usePages } from '../../ui/more.tsx'
import { Empty, Loading, Problem } from '../../ui/notice.tsx'
import { Page, Table } from '../../ui/page.tsx'
import { Ago, Code } from '../../ui/text.tsx'
import { EditSchedule, NewSchedule } from './new.tsx'

type Schedule = Schemas['Schedule']
const KEY = ['schedules'] as const
const EVERY_MS = 10_000
const TONES: Readonly<Record<Schedule['status'], Tone>> = {
  active: 'good',
  paused: 'warn',
  ended: 'neutral',
}

export default function Schedules() {
  const words = useWords()
  const may = useMay('schedules:write')
  const [open, setOpen] = useState(false)
  useWish('schedules.new', () => setOpen(true))
  const found = usePages<Schedule>(
    KEY,
    (cursor) => api.schedules.list({ cursor, limit: 50 }),
    EVERY_MS,
  )
  return (
    <Page
      title={words('nav.schedules')}
      actions={
        may && (
          <Button look="primary" icon="plus" onClick={() => setOpen(true)}>
            {words('schedules.new')}
          </Button>
        )
      }
    >
      {found.isPending && <Loading />}
      {found.isSuccess && found.items.length === 0 && (
        <Empty
          title={words('schedules.empty')}
          command={`strata schedule daily --put '{"cron":"0 9 * * 1-5","input":"Report on yesterday."}'`}
        >
          {words('schedules.empty.hint')}
        </Empty>
      )}
      <div className="grid gap-3">
        {found.items.map((one) => (
          <One key={one.id} of={one} may={may} />
        ))}
      </div>
      <More of={found} />
      <Dialog title={words('schedules.new')} open={open} onClose={() => setOpen(false)}>
        <NewSchedule onDone={() => setOpen(false)} />
      </Dialog>
    </Page>
  )
}

function One({ of, may }: { readonly of: Schedule; readonly may: boolean }) {
  const words = useWords()
  const cache = useQueryClient()
  const [open, setOpen] = useState(false)
  const [editing, setEditing] = useState(false)
  const again = () => cache.invalidateQueries({ queryKey: KEY })
  const change = useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSettled: again,
  })
  const { name, status, pause, run, next_at, last, running, description } = of
  const when = of.cron ?? of.at ?? words('schedules.every', { n: of.every_seconds ?? 0 })
  return (
    <section aria-label={name} className="grid gap-3 rounded-xl border border-line bg-surface p-4">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={TONES[status]}>{words(`schedules.${status}`)}</Badge>
        <h2 className="font-semibold [overflow-wrap:anywhere]">{name}</h2>
        <code className="font-mono text-xs text-muted">
          {when} {of.timezone}
        </code>
        <span className="flex-1" />
        {may && (
          <>
            <Button
              busy={change.isPending}
              onClick={() => change.mutate(() => api.schedules.run(name))}
            >
              {words('schedules.now')}
            </Button>
            {status === 'active' && (
              <Button onClick={() => change.mutate(() => api.schedules.pause(name, {}))}>
                {words('schedules.pause')}
              </Button>
            )}
            {status === 'paused' && (
              <Button onClick={() => change.mutate(() => api.schedules.resume(name))}>
                {words('schedules.resume')}
              </Button>
            )}
            {of.kind === 'schedule' && (
              <Button onClick={() => setEditing(true)}>{words('edit')}</Button>
            )}
            <Confirm
              word={words('delete')}
              question={words('schedules.delete.sure', { name })}
              act={() => api.schedules.delete(name)}
              touches={KEY}
            />
          </>
        )}
      </div>
      {description && <p className="text-sm text-muted">{description}</p>}
      {pause?.detail && <p className="text-sm text-warn">{pause.detail}</p>}
      <Problem error={change.error} />
      <div className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-muted">
        <span>
          {words('schedules.next')} <Ago at={next_at} />
        </span>
        {last && (
          <span>
            {words('schedules.last')} {last.outcome} <Ago at={last.slot} />{' '}
            {last.run_id && <RunLink id={last.run_id} />}
          </span>
        )}
        {running.length > 0 && <span>{words('schedules.running', { n: running.length })}</span>}
        <button
          type="button"
          className="text-accent underline"
          onClick={() => setOpen(!open)}
          aria-expanded={open}
        >
          {words('schedules.history')}
        </button>
      </div>
      <Dialog title={words('schedules.edit')} open={editing} onClose={() => setEditing(false)}>
        <EditSchedule of={of} onDone={() => setEditing(false)} />
      </Dialog>
      {open && (
        <>
          <History name={name} />
          <Code value={run} label={words('schedules.run')} />
        </>
      )}
    </section>
  )
}

function RunLink({ id }: { readonly id: string }) {
  const words = useWords()
  return (
    <Link to="/runs/$run" params={{ run: id }} className="text-accent underline">
      {words('schedules.see')}
    </Link>
  )
}

function History({ name }: { readonly name: string }) {
  const words = useWords()
  const found = useQuery({
    queryKey: [...KEY, name, 'runs'],
    queryFn: async () => await api.schedules.runs(name, { limit: 20 }),
  })
  if (found.isPending) return <Loading />
  if (!found.data) return <Problem error={found.error} />
  return (
    <Table
      label={words('schedules.history')}
      head={[words('schedules.slot'), words('schedules.outcome'), words('schedules.run')]}
    >
      {found.data.data.map((fire) => (
        <tr key={`${fire.slot} ${fire.at}`}>
          <td>
            <Ago at={fire.slot} />
          </td>
          <td>
            {fire.outcome}
            {fire.reason && <div className="text-xs text-muted">{fire.reason}</div>}
          </td>
          <td>{fire.run_id ? <RunLink id={fire.run_id} /> : '–'}</td>
        </tr>
      ))}
    </Table>
  )
}
