/** Actions on a schedule: run now, pause with a reason, resume, edit, and delete. */

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { TextArea } from '../kit/field.tsx'
import { Problem } from '../kit/notice.tsx'
import { RunLink } from '../run/run-link.tsx'
import { Confirm } from '../webhooks/confirm.tsx'
import { ScheduleForm } from './form.tsx'
import type { Schedule } from './state.ts'

interface Props {
  readonly schedule: Schedule
  readonly etag: string
  readonly onChanged: () => Promise<void>
  readonly onDeleted: () => void
}

export function ScheduleActions({ schedule, etag, onChanged, onDeleted }: Props) {
  const words = useWords()
  const { id, name, status, kind, source } = schedule
  const [dialog, setDialog] = useState<'edit' | 'pause' | 'delete'>()
  const close = () => setDialog(undefined)
  const runNow = useMutation({
    mutationFn: () => api.schedules.run(id),
    onSettled: onChanged,
  })
  const resume = useMutation({ mutationFn: () => api.schedules.resume(id), onSettled: onChanged })
  const remove = useMutation({
    mutationFn: () => api.schedules.delete(id, { ifMatch: etag }),
    onSuccess: () => {
      close()
      onDeleted()
    },
    onSettled: onChanged,
  })
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        {status !== 'ended' && (
          <Button icon="send" busy={runNow.isPending} onClick={() => runNow.mutate()}>
            {words('schedules.now')}
          </Button>
        )}
        {status === 'active' && (
          <Button icon="stop" onClick={() => setDialog('pause')}>
            {words('schedules.pause')}
          </Button>
        )}
        {status === 'paused' && (
          <Button icon="right" busy={resume.isPending} onClick={() => resume.mutate()}>
            {words('schedules.resume')}
          </Button>
        )}
        {kind === 'schedule' && !source && (
          <Button icon="edit" onClick={() => setDialog('edit')}>
            {words('approval.edit')}
          </Button>
        )}
        <Button icon="trash" look="danger" onClick={() => setDialog('delete')}>
          {words('delete')}
        </Button>
      </div>
      <Problem error={runNow.error ?? resume.error} />
      {runNow.data && (
        <p role="status" className="text-sm">
          {words(`schedules.now.${runNow.data.status}`)}{' '}
          <RunLink run={runNow.data.run_id} text={words('schedules.run.open')} />
        </p>
      )}
      {dialog === 'edit' && (
        <ScheduleForm
          stored={{ schedule, etag }}
          onSaved={() => {
            close()
            void onChanged()
          }}
          onClose={close}
        />
      )}
      {dialog === 'pause' && <PauseDialog {...{ id, onChanged }} onClose={close} />}
      {dialog === 'delete' && (
        <Confirm
          title={words('schedules.delete')}
          question={words(source ? 'schedules.delete.file' : 'schedules.delete.sure', { name })}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={close}
        />
      )}
    </div>
  )
}

const MOST_CHARACTERS = 300

interface PauseProps {
  readonly id: string
  readonly onChanged: () => Promise<void>
  readonly onClose: () => void
}

function PauseDialog({ id, onChanged, onClose }: PauseProps) {
  const words = useWords()
  const [reason, setReason] = useState('')
  const pause = useMutation({
    mutationFn: () => api.schedules.pause(id, { reason: reason.trim() || null }),
    onSuccess: onClose,
    onSettled: onChanged,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!pause.isPending) pause.mutate()
  }
  return (
    <Dialog title={words('schedules.pause.title')} open onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <p className="text-sm">{words('schedules.pause.sure')}</p>
        <TextArea
          label={words('approval.reason')}
          hint={words('schedules.pause.hint')}
          maxLength={MOST_CHARACTERS}
          rows={2}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <Problem error={pause.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" busy={pause.isPending}>
            {words('schedules.pause')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
