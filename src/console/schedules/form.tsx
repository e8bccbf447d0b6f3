/** Form that creates or edits a schedule; the server previews its slots as one types. */

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, ProblemError } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Input, TextArea } from '../kit/field.tsx'
import { Problem } from '../kit/notice.tsx'
import { Inline } from '../text/text.tsx'
import { type FieldProps, RunFields } from './run-fields.tsx'
import { draftOf, inputOf, patchOf, rebasedDraft, type Schedule } from './state.ts'
import { TimingFields } from './timing-fields.tsx'
import { browserZone } from './when.tsx'

interface Stored {
  readonly schedule: Schedule
  readonly etag: string
}

interface Props {
  /** Edited schedule; absent for a new one. */
  readonly stored?: Stored
  readonly onSaved: (id: string) => void
  readonly onClose: () => void
}

const isStale = (error: unknown): boolean => error instanceof ProblemError && error.status === 412

export function ScheduleForm({ stored, onSaved, onClose }: Props) {
  const words = useWords()
  const zone = browserZone()
  const [base, setBase] = useState(stored)
  const [draft, setDraft] = useState(() => draftOf(stored?.schedule, zone))
  const [isRebased, setRebased] = useState(false)
  const save = useMutation({
    mutationFn: () =>
      base
        ? api.schedules.update(base.schedule.id, patchOf(base.schedule, draft, zone), {
            ifMatch: base.etag,
          })
        : api.schedules.create(inputOf(draft)),
    onSuccess: ({ id }) => onSaved(id),
    onError: async (error) => {
      if (!base || !isStale(error)) return
      const next = await api.schedules.getWithEtag(base.schedule.id)
      setDraft((typed) => rebasedDraft(typed, base.schedule, next.schedule, zone))
      setBase(next)
      setRebased(true)
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (save.isPending) return
    setRebased(false)
    save.mutate()
  }
  const fields: FieldProps = {
    draft,
    onChange: (changes) => setDraft({ ...draft, ...changes }),
  }
  return (
    <Dialog title={words(stored ? 'schedules.edit' : 'schedules.new')} open onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <Texts {...fields} isNew={!stored} />
        <TimingFields {...fields} />
        <TextArea
          label={words('schedules.input')}
          hint={<Inline text={words('schedules.input.hint')} />}
          required
          rows={4}
          value={draft.input}
          onChange={({ target }) => fields.onChange({ input: target.value })}
        />
        <Input
          label={words('chat.agent')}
          placeholder="general"
          spellCheck={false}
          value={draft.agent}
          onChange={({ target }) => fields.onChange({ agent: target.value })}
        />
        <RunFields {...fields} />
        {isRebased ? (
          <p role="alert" className="text-sm text-late">
            {words('schedules.stale')}
          </p>
        ) : (
          <Problem error={save.error} />
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" busy={save.isPending}>
            {words(stored ? 'save' : 'schedules.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Texts({ draft, onChange, isNew }: FieldProps & { readonly isNew: boolean }) {
  const words = useWords()
  return (
    <>
      {isNew && (
        <Input
          label={words('schedules.name')}
          hint={words('schedules.name.hint')}
          maxLength={64}
          spellCheck={false}
          value={draft.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      )}
      <Input
        label={words('schedules.description')}
        maxLength={500}
        value={draft.description}
        onChange={({ target }) => onChange({ description: target.value })}
      />
    </>
  )
}
